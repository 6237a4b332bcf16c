// Diagnostics as SARIF 2.1.0, which code scanning services read.
import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic, Edit, Fix, Place } from '../../types/index.ts'
import { type DiagnosticPage, diagnosticPages } from '../explain.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const LEVELS = { error: 'error', warning: 'warning', info: 'note' }

/** The location of a file, relative to the current folder if possible. */
const locationOf = (file: string) => {
  const path = relative('', resolve(file))
  if (path.startsWith('..') || path === '') return { uri: pathToFileURL(resolve(file)).href }
  return { uri: path.split(sep).map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' }
}

const regionOf = ({ line, column, endLine, endColumn, offset, endOffset }: Place) => ({
  startLine: line,
  startColumn: column,
  endLine,
  endColumn,
  byteOffset: offset,
  byteLength: endOffset - offset,
})

const placeOf = (place: Place, file: string) => ({
  physicalLocation: { artifactLocation: locationOf(file), region: regionOf(place) },
})

/** The bytes that an edit removes, in the form of SARIF. */
const replacement = ({ offset, endOffset, text }: Edit) => ({
  deletedRegion: { byteOffset: offset, byteLength: endOffset - offset },
  insertedContent: { text },
})

const fixOf = ({ title, edits }: Fix, file: string) => ({
  description: { text: title },
  artifactChanges: [{ artifactLocation: locationOf(file), replacements: edits.map(replacement) }],
})

const resultOf = (rules: readonly string[]) => (found: Diagnostic) => ({
  ruleId: found.code,
  ruleIndex: rules.indexOf(found.code),
  level: LEVELS[found.severity],
  message: { text: found.help ? `${found.message}\nhelp: ${found.help}` : found.message },
  locations: [placeOf(found, found.file)],
  ...(found.fixes.length > 0 && { fixes: found.fixes.map((fix) => fixOf(fix, found.file)) }),
})

const ruleOf = ({ code, slug, summary, text }: DiagnosticPage) => ({
  id: code,
  name: slug,
  shortDescription: { text: summary },
  help: { text, markdown: text },
})

/** A log of one run with all of `diagnostics`, by the program of that version; `isWhole` when every file could be read. */
export const sarif = (diagnostics: readonly Diagnostic[], version: string, isWhole: boolean) => {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort()
  const rules = diagnosticPages()
    .filter(({ code }) => codes.includes(code))
    .map(ruleOf)
  const known = rules.map(({ id }) => id)
  const driver = { name: 'transcript', semanticVersion: version, rules }
  const run = {
    tool: { driver },
    columnKind: 'unicodeCodePoints',
    invocations: [{ executionSuccessful: isWhole }],
    results: diagnostics.map(resultOf(known)),
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}
