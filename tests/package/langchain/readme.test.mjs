// The examples of the README, with the real libraries, run unchanged.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testReadme } from '../support/readme.mjs'

testReadme('LangChain and LangGraph', {
  count: 2,
  home: dirname(fileURLToPath(import.meta.url)),
  packages: ['@langchain', 'langchain', 'zod'],
})
