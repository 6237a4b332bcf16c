// Importing this teaches the `expect` of Jest the matchers.
import { invalidState } from '../api/misuse.ts'
import type { TranscriptMatchers } from '../types/matchers.ts'
import { matchers } from './index.ts'

/** The globals of a test. */
type TestGlobals = typeof globalThis & { expect?: { extend(matchers: object): void } }

if (typeof (globalThis as TestGlobals).expect?.extend !== 'function') {
  throw invalidState('transcript-workbench/jest needs a global `expect`: import it in a test, or in a file of `setupFilesAfterEnv`')
}
;(globalThis as TestGlobals).expect!.extend(matchers)

export { matchers }
export type * from '../types/matchers.ts'

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations have the same parameters, and this one is of @types/jest.
    interface Matchers<R, T = {}> extends TranscriptMatchers<R> {}
  }
}
