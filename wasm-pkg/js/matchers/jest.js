// Importing this teaches the `expect` of Jest the matchers.
import { matchers } from './index.js'

if (typeof globalThis.expect?.extend !== 'function') {
  throw new Error('transcript-workbench/jest is imported where no `expect` is: in a test, or in a file of `setupFilesAfterEnv`')
}
globalThis.expect.extend(matchers)

export { matchers }
