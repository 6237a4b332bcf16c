// The commands: what the manual lists of each, and how it is loaded.
import type { Command, ListedCommand, LoadedCommand } from '../command.ts'
import { check } from './check.ts'
import { detect } from './detect.ts'
import { expand } from './expand.ts'
import { explain } from './explain.ts'
import { replay } from './replay.ts'
import { schema } from './schema.ts'
import { state } from './state.ts'
import { test } from './test.ts'
import { validate } from './validate.ts'

/** Commands that need more than the core are loaded when they are needed: loading is most of the time of a short run. */
const writing = () => import('./writing.ts')
const serving = () => import('./serving.ts')

/** The commands by name, in the order of the manual. */
export const COMMANDS: { [name: string]: Omit<ListedCommand, 'name'> & { load(): Command | Promise<Command> } } = {
  validate: {
    group: 'check',
    summary: 'check transcripts and show what is wrong, with its place',
    load: () => validate,
  },
  explain: {
    group: 'check',
    summary: 'tell more about a diagnostic: why it is one, and how to mend it',
    load: () => explain,
  },
  fix: {
    group: 'check',
    summary: 'apply the fixes that are certain, and leave everything else as it is',
    load: async () => (await writing()).fix,
  },
  fmt: {
    group: 'check',
    summary: 'bring files into the canonical order and style, comments kept',
    load: async () => (await writing()).fmt,
  },
  repair: {
    group: 'check',
    summary: 'write a cut or mixed log anew, one event a line',
    load: async () => (await writing()).repair,
  },
  expand: {
    group: 'write',
    summary: 'write a transcript in its full form',
    load: () => expand,
  },
  compact: {
    group: 'write',
    summary: 'write a transcript in the compact form, when nothing is lost by it',
    load: async () => (await writing()).compact,
  },
  test: {
    group: 'check',
    summary: 'test transcripts: each reads, replays against itself, and its assertions hold',
    load: () => test,
  },
  replay: {
    group: 'play',
    summary: 'play a recording against itself or against an agent, step by step',
    load: () => replay,
  },
  check: {
    group: 'check',
    summary: 'hold the assertions of recordings against them, or against an actual run',
    load: () => check,
  },
  simulate: {
    group: 'play',
    summary: 'run agents on mock handlers, and show what they say',
    load: async () => (await writing()).simulate,
  },
  generate: {
    group: 'write',
    summary: 'have a language model write a transcript of what is described',
    load: async () => (await writing()).generate,
  },
  recover: {
    group: 'play',
    summary: 'make a transcript of the journal of a recording that was cut off',
    load: async () => (await writing()).recover,
  },
  state: {
    group: 'look',
    summary: 'tell the state after a step: context, messages, what the model can see and was sent',
    load: () => state,
  },
  fork: {
    group: 'write',
    summary: 'write the run up to a step, to go on from there otherwise',
    load: async () => (await writing()).fork,
  },
  diff: {
    group: 'look',
    summary: 'compare two transcripts, turns aligned, field by field',
    load: async () => (await writing()).diff,
  },
  coverage: {
    group: 'look',
    summary: 'tell what of a recording was never used: calls, tools, messages, rules',
    load: async () => (await writing()).coverage,
  },
  redact: {
    group: 'write',
    summary: 'replace secrets by placeholders before a transcript is shared',
    load: async () => (await writing()).redact,
  },
  order: {
    group: 'events',
    summary: 'print the ids of the events of a log in dependency order, one a line',
    load: async () => (await writing()).order,
  },
  'verify-determinism': {
    group: 'events',
    summary: 'run transcripts or logs of events again, and prove that the result is the same each time',
    load: async () => (await writing()).verifyDeterminism,
  },
  'nest-events': {
    group: 'events',
    summary: 'write the events of a log into a recording',
    load: async () => (await writing()).nestEvents,
  },
  detect: {
    group: 'look',
    summary: 'tell what kind of document a file is, by its content',
    load: () => detect,
  },
  convert: {
    group: 'write',
    summary: 'write a transcript, or the log of another program, in another form',
    load: async () => (await writing()).convert,
  },
  show: {
    group: 'look',
    summary: 'show the steps of a run, or of the log of another program',
    load: async () => (await writing()).show,
  },
  open: {
    group: 'look',
    summary: 'show a transcript in the workbench, in the browser, and save what is edited back to the file',
    load: async () => (await serving()).open,
  },
  schema: {
    group: 'other',
    summary: 'print the JSON Schema of a kind of document',
    load: () => schema,
  },
  serve: {
    group: 'play',
    summary: 'answer the clients of OpenAI and Anthropic from recordings, over HTTP',
    load: async () => (await serving()).serve,
  },
  record: {
    group: 'play',
    summary: 'pass requests on to a vendor, and record what passes as a transcript',
    load: async () => (await serving()).record,
  },
  completions: {
    group: 'other',
    summary: 'print what lets a shell complete the commands and options',
    load: async () => (await writing()).completions,
  },
}

/** A command by its name, whole. */
export const loadCommand = async (name: string): Promise<LoadedCommand> => {
  const { load, ...rest } = COMMANDS[name]!
  return { ...rest, ...(await load()) }
}
