// The examples of the README, with the real AI SDK, run unchanged.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReadme } from '../support/readme.mjs'

testReadme('AI SDK', { count: 3, home: dirname(fileURLToPath(import.meta.url)), packages: ['ai', '@ai-sdk', 'zod'] })
