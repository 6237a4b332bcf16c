// Importing this teaches the `expect` of Vitest the matchers.
import 'vitest'
import type { TranscriptMatchers } from './matchers.ts'

export { matchers } from './matchers.ts'
export type { MatchTranscriptOptions, Run, TranscriptMatchers } from './matchers.ts'

declare module 'vitest' {
  // The runner's own declaration has these parameters, and all have to be alike.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends TranscriptMatchers<R> {}
}
