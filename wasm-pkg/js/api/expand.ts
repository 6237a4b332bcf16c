import type { Expansion, Options, Source, WriteOptions } from '../types/index.ts'
import { invoke, invokeJson } from './core.ts'
import { checkOptions, oneOf, writingOf } from './options.ts'
import { open } from './open.ts'

/**
 * Writes a transcript in its full form: every turn, message and call spelled out.
 *
 * @param source The document: text, bytes, or either with the name of its file.
 * @param options.format `yaml` (the default) and `json` fill `text`; `object` fills `transcript` alone.
 * @returns The full form, or null for what cannot be read; and everything found.
 * @throws {TypeError} when an argument is wrong.
 * @example
 * const { text } = expand("messages: ['user: Hi', 'assistant: Hello!']", { format: 'yaml' })
 */
export const expand = (source: Source, options?: Options & WriteOptions & { format?: 'yaml' | 'json' | 'object' }): Expansion => {
  const checked = checkOptions('expand', options, ['format', 'dedupe', 'nested'])
  const format = oneOf('expand', 'format', checked.format, ['yaml', 'json', 'object'])
  const writing = writingOf('expand', checked)
  const handle = open('expand', source, checked)
  try {
    const json = invoke(handle, 'expanded', 'json', writing)
    const refused = invokeJson(handle, 'refusal')
    const texts = { yaml: () => invoke(handle, 'expanded', 'yaml', writing), json: () => json, object: () => null }
    return {
      ok: invoke(handle, 'isOk') && refused.length === 0,
      text: texts[format]() ?? null,
      transcript: json === undefined ? null : JSON.parse(json),
      diagnostics: [...refused, ...invokeJson(handle, 'diagnostics')],
    }
  } finally {
    handle.free()
  }
}
