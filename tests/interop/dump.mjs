// Reads a JSON list of JSON texts, and writes the list of what `JSON.stringify` makes of their data.

import { readFileSync, writeFileSync } from 'node:fs'

const texts = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync(1, JSON.stringify(texts.map((text) => JSON.stringify(JSON.parse(text)))))
