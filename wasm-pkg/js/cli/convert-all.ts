// Several recordings of other programs at once, each to a file of its own in a folder.
import { mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ImportOptions, ImportResult } from '../types/index.ts'
import type { CommonValues } from './command.ts'
import { detect, formats } from './core.ts'
import type { ExportFormatEntry } from './export-formats.ts'
import { UsageError, fileErrorText } from './failure.ts'
import type { Input } from './inputs.ts'
import { groupingOf, importEachSession, importLogs } from './logs.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Whether the place to write to is a folder: it ends as one, or is there. */
export const isFolder = (name: string) => {
  if (/[/\\]$/.test(name)) return true
  try {
    return statSync(name).isDirectory()
  } catch {
    return false
  }
}

const fileStem = (file: string) =>
  basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.[^.]+$/, '')

/** The files of a recording, and the beginning of the name of its transcript. */
interface Group {
  stem: string
  files: Input[]
}

/** The files that belong together, by the grouping of their formats: all logs of sessions, all of a set, and a recording with what begins with its name. */
const groupInputs = (inputs: readonly Input[], { from, maxBytes, maxDepth }: ImportOptions) => {
  // A file that is named like the logs of sessions is one of them, where its content does not determine the format.
  const named = formats().find(({ files, names }) => files === 'sessions' && names[0] === from)?.kind
  const kindOf = (input: Input) => detect(input, { maxBytes, maxDepth }).kind
  const groupings = inputs.map(kindOf).map((kind) => groupingOf(kind === 'unknown' ? named : kind))
  const grouped = (grouping: ReturnType<typeof groupingOf>) => inputs.filter((_, at) => groupings[at] === grouping)
  const additional = grouped('companion')
  const groups: Group[] = grouped('lead').map((recording) => {
    const own = additional.filter(({ file }) => file.startsWith(`${recording.file.replace(/\.[^.]+$/, '')}.`))
    return { stem: fileStem(recording.file), files: [recording, ...own] }
  })
  const standalone = grouped('alone')
  // The agents of a session have files in a folder of its name, or next to it; these name it at their begin.
  const folders = grouped('folder')
  const isOf = (session: Input, { file, bytes }: Input) =>
    file.replaceAll('\\', '/').startsWith(`${session.file.replaceAll('\\', '/').replace(/\.[^./]+$/, '')}/`) ||
    (basename(file).startsWith('agent-') && Buffer.from(bytes.subarray(0, 4096)).includes(`"${fileStem(session.file)}"`))
  const mainInputs = folders.filter((input) => !folders.some((session) => isOf(session, input)))
  groups.push(
    ...mainInputs.map((session) => ({
      stem: fileStem(session.file),
      files: [session, ...folders.filter((input) => isOf(session, input))],
    })),
  )
  groups.push(...standalone.map((input) => ({ stem: fileStem(input.file), files: [input] })))
  const sessions = grouped('sessions')
  if (sessions.length > 0) groups.push({ stem: '', files: sessions })
  const set = grouped('set')
  if (set.length > 0) groups.push({ stem: set.length === 1 ? fileStem(set[0]!.file) : 'fixtures', files: set })
  const used = new Set(groups.flatMap(({ files }) => files))
  return { groups, others: inputs.filter((input) => !used.has(input)) }
}

/** A name in the folder that no other file of this run has. */
const uniqueName = (stem: string, [prefix, ending]: ExportFormatEntry['file'], seen: Set<string>) => {
  const clean = stem.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'transcript'
  for (let count = 1; ; count += 1) {
    const name = `${prefix}${clean}${count === 1 ? '' : `-${count}`}${ending}`
    if (!seen.has(name.toLowerCase())) {
      seen.add(name.toLowerCase())
      return name
    }
  }
}

/**
 * Converts each recording of `inputs` to a file in `folder`, with a prefix and an ending; `write` gets what was imported, its
 * file and the output, and returns an exit code and whether it wrote the output. Files that are no recordings are reported and left out.
 */
export const convertAll = (
  inputs: readonly Input[],
  { handlers, ...options }: ImportOptions & { handlers: boolean },
  folder: string,
  affixes: ExportFormatEntry['file'],
  write: (converted: { found: ImportResult; file: string; output: string }) => { code: number; isWritten: boolean },
  { terminal, values }: { terminal: Terminal; values: CommonValues },
) => {
  // A session is looked for in all files.
  const ungrouped = { groups: [{ stem: '', files: [...inputs] }], others: [] }
  const { groups, others } = options.session === undefined ? groupInputs(inputs, options) : ungrouped
  if (groups.length === 0) throw new UsageError('none of the files is a supported log', 'to convert a transcript, name a file: `-o FILE`')
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new UsageError(`cannot create the folder \`${folder}\`: ${fileErrorText(error)}`)
  }
  for (const { file } of others) terminal.err(`${printable(file)}: skipped: not a supported log\n`)
  const [seen, codes] = [new Set<string>(), [0]]
  for (const group of groups) {
    const isSingle = handlers || options.session !== undefined
    const single = () => ({ session: options.session, found: importLogs(group.files, { ...options, handlers }, terminal, values) })
    for (const { session, found } of isSingle ? [single()] : importEachSession(group.files, options, terminal, values)) {
      if (found === null) {
        codes.push(1)
        continue
      }
      const stem = [group.stem, session ?? (group.stem === '' ? found.sessions[0] : undefined)].filter(Boolean).join('-')
      const output = join(folder, uniqueName(stem, affixes, seen))
      const { file } = group.files[0]!
      const { code, isWritten } = write({ found, file, output })
      codes.push(code)
      if (isWritten) terminal.err(`${printable(found.files[0]?.path ?? file)} -> ${printable(output)}\n`)
    }
  }
  return Math.max(...codes)
}
