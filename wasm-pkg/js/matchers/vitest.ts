// Importing this teaches the `expect` of Vitest the matchers.
import { expect } from 'vitest'
import type { TranscriptMatchers } from '../types/matchers.ts'
import { matchers } from './index.ts'

expect.extend(matchers)

export { matchers }
export type * from '../types/matchers.ts'

declare global {
  // Vitest has all expectations of Chai. Its own interfaces have other type parameters in each version from 3 to 5.
  namespace Chai {
    interface Assertion extends TranscriptMatchers<void> {}
  }
}
