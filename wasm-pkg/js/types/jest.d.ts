// Importing this teaches the `expect` of Jest the matchers.
import type { TranscriptMatchers } from './matchers.js'

export { matchers } from './matchers.js'
export type { MatchTranscriptOptions, Run, TranscriptMatchers } from './matchers.js'

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends TranscriptMatchers<R> {}
  }
}
