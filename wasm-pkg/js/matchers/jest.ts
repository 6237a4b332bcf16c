// Importing this teaches the `expect` of Jest the matchers.
import { matchers } from './index.ts'

/** The globals of a test. */
type TestGlobals = typeof globalThis & { expect?: { extend(matchers: object): void } }

if (typeof (globalThis as TestGlobals).expect?.extend !== 'function') {
  throw new Error('transcript-workbench/jest is imported where no `expect` is: in a test, or in a file of `setupFilesAfterEnv`')
}
;(globalThis as TestGlobals).expect!.extend(matchers)

export { matchers }
