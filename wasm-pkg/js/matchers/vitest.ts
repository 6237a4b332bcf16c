// Importing this teaches the `expect` of Vitest the matchers.
import { expect } from 'vitest'
import type { TranscriptMatchers } from '../types/matchers.ts'
import { matchers } from './index.ts'

expect.extend(matchers)

export { matchers }
export type * from '../types/matchers.ts'

declare module 'vitest' {
  // The runner's own declaration has these parameters, and all have to be alike.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends TranscriptMatchers<R> {}
}
