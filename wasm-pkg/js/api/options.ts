// Checks of what callers pass; misuse is a TypeError that names the call.
import type { Options, WriteOptions } from '../types/index.ts'
import { misuse } from './misuse.ts'
import { closest } from './suggest.ts'

const LIMITS = ['maxBytes', 'maxDepth', 'maxAliasNodes', 'maxAliasBytes', 'maxExpanded'] as const
/** Further options of every opening: the levels of rules, and the texts of files that a document names. */
const MAPS = ['rules', 'files'] as const
/** The greatest count that the core holds. */
const MOST = 0xffff_ffff

/** The kind of a value, for error messages. */
export const kindOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function')
    return 'a promise, which has to be awaited first'
  return ({ undefined: 'nothing', object: 'an object' } as { [type: string]: string })[typeof value] ?? `a ${typeof value}`
}

/** Checks the names in `options`; every call takes the limits, `rules` and `files` in addition to its own. */
export const checkOptions = <Given extends object>(call: string, options: Given | undefined, own: readonly string[]) =>
  // Every option may be left out.
  options === undefined ? ({} as Given) : checkNames(call, options, [...own, ...LIMITS, ...MAPS])

/** Checks that `options` has no other names than these. */
export const checkNames = <Given extends object>(call: string, options: Given, names: readonly string[]) => {
  if (typeof options !== 'object' || options === null) {
    throw misuse(`${call}() takes an object of options, but got ${kindOf(options)}`)
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = closest(name, names)
    const help = near ? `did you mean \`${near}\`?` : `there are: ${names.join(', ')}`
    throw misuse(`${call}() has no option \`${name}\`; ${help}`)
  }
  return options
}

const checkMap = <Given>(call: string, name: string, value: Given) => {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap || Object.values(value as object).some((entry) => typeof entry !== 'string')) {
    throw misuse(`the option \`${name}\` of ${call}() takes an object of strings`)
  }
  return value
}

/** The options of an opening among `options`, for the core. */
export const openingOf = (call: string, options: Options) => {
  const opening: { [name: string]: unknown } = {}
  for (const name of LIMITS) {
    const value = options[name]
    if (value === undefined) continue
    if (!Number.isInteger(value) || value < 0 || value > MOST) {
      throw misuse(`the option \`${name}\` of ${call}() takes an integer from 0 to ${MOST}`)
    }
    opening[name] = value
  }
  for (const name of MAPS) if (options[name] !== undefined) opening[name] = checkMap(call, name, options[name])
  return opening
}

/** The same as the core reads them. */
export const openingText = (call: string, options: Options) => {
  const opening = openingOf(call, options)
  return Object.keys(opening).length === 0 ? '' : JSON.stringify(opening)
}

/** Checks an option that takes one of several words. */
export const oneOf = <const Word extends string>(call: string, name: string, value: unknown, allowed: readonly [Word, ...Word[]]) => {
  if (value === undefined) return allowed[0]
  if (!allowed.includes(value as Word)) {
    const got = typeof value === 'string' ? `\`${value}\`` : kindOf(value)
    throw misuse(`the option \`${name}\` of ${call}() is one of ${allowed.join(', ')}, but got ${got}`)
  }
  return value as Word
}

const isBytes = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST

/** How to write a full form, for the core: what to write once, and what elsewhere. */
export const writingOf = (call: string, { dedupe, nested }: WriteOptions) => {
  if (dedupe !== undefined && typeof dedupe !== 'boolean' && !isBytes(dedupe)) {
    throw misuse(`the option \`dedupe\` of ${call}() is true, or a number of bytes, but got ${kindOf(dedupe)}`)
  }
  if (nested !== undefined && nested !== 'inline' && nested !== 'reference' && !isBytes(nested)) {
    const kinds = '`inline`, `reference`, or a number of bytes'
    throw misuse(`the option \`nested\` of ${call}() is ${kinds}, but got ${kindOf(nested)}`)
  }
  return dedupe === undefined && nested === undefined ? '' : JSON.stringify({ dedupe, nested })
}
