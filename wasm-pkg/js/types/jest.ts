// Importing this teaches the `expect` of Jest the matchers.
import type { TranscriptMatchers } from './matchers.ts'

export { matchers } from './matchers.ts'
export type { MatchTranscriptOptions, Run, TranscriptMatchers } from './matchers.ts'

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends TranscriptMatchers<R> {}
  }
}
