// Reads the arguments of a command.
import { closest } from '../api/suggest.ts'
import type { Options as OpenOptions } from '../types/index.ts'
import type { Arguments, Command, CommonValues, Option, Options, OptionsFor } from './command.ts'
import { UsageError } from './failure.ts'
import { projectRules } from './project.ts'
import { suggestOption } from './suggestions.ts'
import type { Terminal } from './terminal.ts'

const COMMON_OPTIONS: OptionsFor<CommonValues> = {
  color: { values: ['auto', 'always', 'never'], help: 'colors; auto means in terminals, unless NO_COLOR is set' },
  'max-bytes': {
    size: true,
    name: 'SIZE',
    default: '32 MiB',
    help: 'the maximum size of a document, such as 200MiB; 1 GiB by default for event logs',
  },
  'max-depth': { number: true, name: 'N', default: '200', help: 'the maximum nesting' },
  'max-alias-nodes': { number: true, name: 'N', default: '100000', help: 'the maximum number of nodes from YAML aliases' },
  'max-alias-bytes': { size: true, name: 'SIZE', default: '8 MiB', help: 'the maximum size of text from YAML aliases' },
  'max-expanded': { number: true, name: 'N', default: '1000000', help: 'the maximum number of sent messages in a full form' },
  help: { flag: true, short: 'h', help: 'print this help' },
}

/** All options of a command, its own first. */
export const optionsOf = (command: { options: Options }): Options => ({ ...command.options, ...COMMON_OPTIONS })

/** The units of a size, in lower case. */
const UNITS: { [unit: string]: number } = { '': 1, b: 1, kb: 1e3, kib: 2 ** 10, mb: 1e6, mib: 2 ** 20, gb: 1e9, gib: 2 ** 30 }

/** What a size is, for errors and the manual. */
export const SIZES = 'a number of bytes, or a number with B, kB, KiB, MB, MiB, GB or GiB, such as 200MiB'

/** The bytes of a size must be fewer. */
const MOST = 2 ** 32

/** The bytes of a size, such as 1048576, 200MiB or '1.5 GB', for the option `name`. */
export const parseSize = (name: string, text: string) => {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const bytes = Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? NaN))
  if (Number.isNaN(bytes) || bytes < 1) throw new UsageError(`\`--${name}\` takes a size, but got \`${text}\``, `a size is ${SIZES}`)
  if (bytes >= MOST) throw new UsageError(`\`--${name}\` takes less than 4 GiB, but got \`${text}\``)
  return bytes
}

const checkValue = (name: string, option: Option, value: string) => {
  if (option.values && !option.values.includes(value)) {
    const near = closest(value, option.values)
    const help = near ? `did you mean \`${near}\`?` : `it takes ${option.values.join(', ')}`
    throw new UsageError(`\`--${name}\` does not take \`${value}\``, help)
  }
  if (option.size) return parseSize(name, value)
  if (!option.number) return value
  if (!/^\d{1,9}$/.test(value)) {
    const help = option.name === 'MS' ? 'the time is in milliseconds: 2000 is two seconds' : undefined
    throw new UsageError(`\`--${name}\` takes an integer, but got \`${value}\``, help)
  }
  return Number(value)
}

const findOption = (argument: string, command: Command, options: Options) => {
  const [, dashes, word] = /^(--?)([^=]*)/.exec(argument)!
  const names = Object.keys(options)
  const name = dashes === '--' ? word : names.find((name) => options[name]!.short === word)
  if (name !== undefined && Object.hasOwn(options, name)) return name
  const help = suggestOption(word!, options) ?? `see \`transcript ${command.name} --help\`; file names that begin with a dash follow \`--\``
  throw new UsageError(`unknown option \`${dashes}${word}\``, help)
}

type Value = string | number | true | string[]

/**
 * Splits `args` into files and the values of options; `-` alone is a file, the standard input. Options with fixed values
 * default to the first one, and `set` has the names of the options that are set.
 */
export const readArguments = <Values extends object>(command: Command<Values>, args: readonly string[]): Arguments<Values> => {
  const options = optionsOf(command)
  const files: string[] = []
  const set = new Set<string>()
  const values: { [name: string]: Value } = Object.fromEntries(
    Object.entries(options)
      .filter(([, { values }]) => values)
      .map(([name, { values }]) => [name, values![0]!]),
  )
  const rest = [...args]
  while (rest.length > 0) {
    const argument = rest.shift()!
    if (argument === '--') {
      files.push(...rest)
      break
    }
    if (argument === '-' || !argument.startsWith('-')) {
      files.push(argument)
      continue
    }
    const name = findOption(argument, command, options)
    set.add(name)
    const equals = argument.indexOf('=')
    if (options[name]!.flag) {
      if (equals >= 0) throw new UsageError(`\`--${name}\` takes no value`)
      values[name] = true
      continue
    }
    const value = equals >= 0 ? argument.slice(equals + 1) : rest.shift()
    if (value === undefined) throw new UsageError(`\`--${name}\` needs a value`)
    const checked = checkValue(name, options[name]!, value)
    // An option that takes several values has a list of strings. A string may contain commas, so the option is repeated for each.
    if (options[name]!.repeated) values[name] = [...((values[name] as string[] | undefined) ?? []), checked as string]
    else if (options[name]!.many)
      values[name] = [...((values[name] as string[] | undefined) ?? []), ...(checked as string).split(',').filter((word) => word !== '')]
    else values[name] = checked
  }
  // Each value has the type of its option.
  return { files, values: values as Values & CommonValues, set }
}

/** The options for opening the file `name`: the limits among the values, and the rules of its project. */
export const openOptions = (values: CommonValues, name: string, terminal: Terminal): OpenOptions => ({
  maxBytes: values['max-bytes'],
  maxDepth: values['max-depth'],
  maxAliasNodes: values['max-alias-nodes'],
  maxAliasBytes: values['max-alias-bytes'],
  maxExpanded: values['max-expanded'],
  ...projectRules(name, terminal),
})
