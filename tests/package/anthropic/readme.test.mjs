// The examples of the README, with the real client, run unchanged.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReadme } from '../support/readme.mjs'

testReadme('Anthropic client', { count: 1, home: dirname(fileURLToPath(import.meta.url)), packages: ['@anthropic-ai'] })
