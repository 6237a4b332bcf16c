// The files that commands read in addition to their arguments, for the manual.
import type { Row } from './command.ts'

/** The settings of a project, for commands that check. */
export const CONFIG_FILES: Row = [
  'transcript.config.json, .js, .mjs',
  'the rules of your project, from the nearest such file in the folder of the transcript or above',
]

/** The files that a document names, for commands that take them up. */
export const REFERENCED_FILES: Row = ['files that a document references', 'only below its folder and the current one']
