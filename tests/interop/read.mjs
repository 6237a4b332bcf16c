// Reads YAML texts with `yaml` and `js-yaml` and says what data they were taken for.
// Input and output are those of read.py, with ["number", DIGITS] where JavaScript has one kind of number.

import { readFileSync, writeSync } from 'node:fs'
import * as jsYaml from 'js-yaml'
import { parse } from 'yaml'

// As maps, so that a key which is not a string shows, and keys keep their order.
const schema = jsYaml.CORE_SCHEMA.withTags(jsYaml.realMapTag)
const readers = {
  yaml: (text) => parse(text, { mapAsMap: true, intAsBigInt: true }),
  // By itself it stops at a depth of 100.
  'js-yaml': (text) => jsYaml.load(text, { schema, maxDepth: 1000 }),
}

function tokens(data, out) {
  if (data === null || typeof data === 'boolean') out.push(data)
  else if (typeof data === 'string') out.push(data.isWellFormed() ? ['string', data] : ['other', 'surrogates'])
  else if (typeof data === 'bigint') out.push(['int', String(data)])
  else if (typeof data === 'number') out.push(['number', Object.is(data, -0) ? '-0' : String(data)])
  else if (Array.isArray(data)) {
    out.push('[')
    for (const item of data) tokens(item, out)
    out.push(']')
  } else if (data instanceof Map) {
    out.push('{')
    for (const [key, item] of data) tokens(item, tokens(key, out))
    out.push('}')
  } else out.push(['other', typeof data])
  return out
}

function answer(text, read) {
  try {
    return { data: tokens(read(text), []) }
  } catch (error) {
    return { error: String(error) }
  }
}

const texts = JSON.parse(readFileSync(0, 'utf8'))
const answers = Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, texts.map((text) => answer(text, read))]))
// Unlike process.stdout.write, this has written everything when it returns, also to a pipe.
const bytes = Buffer.from(JSON.stringify(answers))
for (let at = 0; at < bytes.length; ) {
  try {
    at += writeSync(1, bytes, at)
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error
  }
}
