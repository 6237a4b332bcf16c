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
    summary: 'check transcripts and show errors with their location',
    load: () => validate,
  },
  explain: {
    group: 'check',
    summary: 'explain a diagnostic and how to fix it',
    load: () => explain,
  },
  fix: {
    group: 'check',
    summary: 'apply safe fixes and change nothing else',
    load: async () => (await writing()).fix,
  },
  fmt: {
    group: 'check',
    summary: 'format files and keep their comments',
    load: async () => (await writing()).fmt,
  },
  repair: {
    group: 'check',
    summary: 'write a clean log from a cut or mixed one',
    load: async () => (await writing()).repair,
  },
  expand: {
    group: 'write',
    summary: 'write a transcript in its full form',
    load: () => expand,
  },
  compact: {
    group: 'write',
    summary: 'write a transcript in the compact form, if nothing is lost',
    load: async () => (await writing()).compact,
  },
  test: {
    group: 'check',
    summary: 'test transcripts: validate, replay, and check assertions',
    load: () => test,
  },
  replay: {
    group: 'play',
    summary: 'replay a recording against itself or an agent',
    load: () => replay,
  },
  check: {
    group: 'check',
    summary: 'check assertions against recordings or an actual run',
    load: () => check,
  },
  simulate: {
    group: 'play',
    summary: 'run agents on mock handlers',
    load: async () => (await writing()).simulate,
  },
  generate: {
    group: 'write',
    summary: 'generate a transcript from a description, with a language model',
    load: async () => (await writing()).generate,
  },
  recover: {
    group: 'play',
    summary: 'make a transcript from the journal of an interrupted recording',
    load: async () => (await writing()).recover,
  },
  state: {
    group: 'look',
    summary: 'show the state after a step: context, messages, and what was sent to the model',
    load: () => state,
  },
  fork: {
    group: 'write',
    summary: 'write the run up to a step, to continue differently',
    load: async () => (await writing()).fork,
  },
  diff: {
    group: 'look',
    summary: 'compare two transcripts',
    load: async () => (await writing()).diff,
  },
  coverage: {
    group: 'look',
    summary: 'list unused calls, tools, messages and rules of recordings',
    load: async () => (await writing()).coverage,
  },
  redact: {
    group: 'write',
    summary: 'replace secrets before you share a transcript',
    load: async () => (await writing()).redact,
  },
  order: {
    group: 'events',
    summary: 'print the events of a log in dependency order',
    load: async () => (await writing()).order,
  },
  'verify-determinism': {
    group: 'events',
    summary: 'run transcripts or event logs again and compare the results',
    load: async () => (await writing()).verifyDeterminism,
  },
  'nest-events': {
    group: 'events',
    summary: 'write an event log into a recording',
    load: async () => (await writing()).nestEvents,
  },
  detect: {
    group: 'look',
    summary: 'detect the format of a file',
    load: () => detect,
  },
  convert: {
    group: 'write',
    summary: 'convert a transcript or log to another format',
    load: async () => (await writing()).convert,
  },
  show: {
    group: 'look',
    summary: 'list the steps of a run or log',
    load: async () => (await writing()).show,
  },
  open: {
    group: 'look',
    summary: 'edit a transcript in the workbench, in your browser',
    load: async () => (await serving()).open,
  },
  schema: {
    group: 'other',
    summary: 'print the JSON Schema of a kind of document',
    load: () => schema,
  },
  serve: {
    group: 'play',
    summary: 'serve recordings to the clients of OpenAI, Anthropic, Gemini and others, over HTTP',
    load: async () => (await serving()).serve,
  },
  record: {
    group: 'play',
    summary: 'forward requests to an API and record them as a transcript',
    load: async () => (await serving()).record,
  },
  completions: {
    group: 'other',
    summary: 'print shell completions',
    load: async () => (await writing()).completions,
  },
}

/** A command by its name, whole. */
export const loadCommand = async (name: string): Promise<LoadedCommand> => {
  const { load, ...rest } = COMMANDS[name]!
  return { ...rest, ...(await load()) }
}
