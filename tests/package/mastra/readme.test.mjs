// The examples of the README, with the real Mastra, run unchanged.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReadme } from '../support/readme.mjs'

testReadme('Mastra', { count: 1, home: dirname(fileURLToPath(import.meta.url)), packages: ['@mastra', 'zod'] })
