// The programs of the page about coming from other mocks, next to what they come from.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testMigration } from '../support/migration.mjs'

testMigration('LangChain', { home: dirname(fileURLToPath(import.meta.url)), packages: ['@langchain', 'langchain', 'zod'] })
