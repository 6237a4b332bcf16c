// The examples of the README, with the real SDK, run unchanged.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReadme } from '../support/readme.mjs'

testReadme('OpenAI Agents', { count: 2, home: dirname(fileURLToPath(import.meta.url)), packages: ['@openai', 'zod'] })
