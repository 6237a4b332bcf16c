// The definition of a command: its manual, its options, and its function.
import type { ColorWish, Terminal } from './terminal.ts'

/** An option, for the manual, for completions and for who reads arguments. */
export interface Option {
  /** What it does. */
  help: string
  /** The word for its value. */
  name?: string
  short?: string
  /** Its default, in words. */
  default?: string
  /** Whether it takes no value. */
  flag?: true
  /** Whether its value is an integer. */
  number?: true
  /** Whether its value is a number of bytes. */
  size?: true
  /** Whether its value is words with commas between them. */
  many?: true
  /** Whether it may be set several times. */
  repeated?: true
  /** The words that it takes; the first is the default. */
  values?: readonly string[]
  /** The words that completions suggest, unless they are `values`. */
  suggestions?: readonly string[]
}

export type Options = { readonly [name: string]: Option }

type Kind = 'flag' | 'number' | 'size' | 'many' | 'repeated' | 'values'

/** What an option needs for its value to be a `Value`. */
type KindOf<Value> = [Value] extends [true]
  ? { flag: true }
  : [Value] extends [number]
    ? { number: true } | { size: true }
    : [Value] extends [readonly string[]]
      ? { many: true } | { repeated: true }
      : string extends Value
        ? { [Each in Kind]?: never }
        : { values: readonly Value[] } | { suggestions: readonly string[] }

/** The options of a command, by the values that it gets of them. */
export type OptionsFor<Values> = { readonly [Name in keyof Values]-?: Option & KindOf<NonNullable<Values[Name]>> }

/** The values of the options of every command. */
export interface CommonValues {
  color: ColorWish
  'max-bytes'?: number
  'max-depth'?: number
  'max-alias-nodes'?: number
  'max-alias-bytes'?: number
  'max-expanded'?: number
  help?: true
}

/** The arguments of a command. */
export interface Arguments<Values extends object = object> {
  files: string[]
  values: Values & CommonValues
  /** The names of the options that are set. */
  set: ReadonlySet<string>
}

/** A term of the manual, and what it means. */
export type Row = readonly [term: string, meaning: string]

/** A command whose options have `Values`. */
export interface Command<Values extends object = object> {
  name: string
  usage: string
  /** Lines; an empty one parts paragraphs, and an indented one stays as it is. */
  about: readonly string[] | (() => readonly string[])
  /** A command line, and its effect. */
  examples: readonly Row[]
  exits?: { readonly [code: number]: string }
  /** The files that it reads in addition to its arguments. */
  reads?: readonly Row[]
  /** The variables of the environment that it reads. */
  environment?: readonly Row[]
  /** Other commands, and pages of the documentation. */
  see?: readonly string[]
  options: OptionsFor<Values> & Options
  /** Does its work, and returns the exit code. */
  run(parsed: Arguments<Values>, terminal: Terminal, allCommands: () => Promise<LoadedCommand[]>): Promise<number>
}

export type CommandGroup = 'check' | 'play' | 'look' | 'write' | 'events' | 'other'

/** What the help lists of a command. */
export interface ListedCommand {
  name: string
  group: CommandGroup
  summary: string
}

/** A command with what the help lists of it. */
export type LoadedCommand = Command & ListedCommand
