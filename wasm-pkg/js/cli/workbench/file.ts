// The one file that the workbench reads and writes.
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isCompressed, isPacked } from '../../api/gzip.ts'
import { decompress } from '../compressed.ts'
import { detect } from '../core.ts'
import { UsageError, fileErrorText } from '../failure.ts'
import { saveText } from '../save.ts'

/** What other programs wrote is theirs: transcripts are made of it, and never written over it. */
const isForeign = (kind: string) => !['full', 'partial', 'compact', 'handlers', 'unknown'].includes(kind)

export const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('base64url')

const ifExists = <Result>(work: () => Result, name: string) => {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`cannot read \`${name}\`: ${fileErrorText(error)}`)
  }
}

/** Where a file is, or will be: the same for every way of naming it, and for as long as its links lead there. */
export const canonicalPath = (name: string) => {
  const realPath = ifExists(() => realpathSync(name), name)
  if (realPath !== undefined) return realPath
  const folder = ifExists(() => realpathSync(dirname(name)), name)
  if (folder === undefined) throw new UsageError(`cannot open \`${name}\`: its folder does not exist`)
  return join(folder, basename(name))
}

/**
 * The file of that name, which need not exist yet.
 *
 * `read()` gives `{version, bytes}` of what is in it now, decompressed, or undefined while there is none; `version()` alone
 * costs nothing while nothing changes. `write(bytes, before)` replaces it whole when it still is that version,
 * undefined for none, and gives the new version, or undefined when it is another one. `readOnly` means that what is in it
 * now is not written over.
 */
export const openFile = (name: string, limit: number) => {
  const place = canonicalPath(name)
  const contents = () => {
    const stat = ifExists(() => statSync(name), name)
    if (stat === undefined) return undefined
    if (!stat.isFile()) throw new UsageError(`cannot open \`${name}\`: it is ${stat.isDirectory() ? 'a folder' : 'not a file'}`)
    return ifExists(() => readFileSync(name), name)
  }
  const fileStamp = () => {
    const stat = ifExists(() => statSync(name, { bigint: true, throwIfNoEntry: false }), name)
    return stat && [stat.mtimeNs, stat.ctimeNs, stat.size, stat.ino].join()
  }
  let lastVersion: { stamp?: string; version?: string } = {}
  const version = () => {
    const stamp = fileStamp()
    if (stamp !== lastVersion.stamp) {
      const bytes = contents()
      lastVersion = { stamp, version: bytes && hashOf(bytes) }
    }
    return lastVersion.version
  }
  const read = () => {
    const bytes = contents()
    if (bytes === undefined) return undefined
    return { version: hashOf(bytes), bytes: isPacked(bytes) ? decompress(bytes, name, limit) : bytes }
  }
  // What the page wrote is ours, whatever it looks like; what another program put there since is checked again.
  let lastJudged: { version?: string; isForeign?: boolean } = {}
  const isReadOnly = () => {
    const found = version() === lastJudged.version && lastJudged.version !== undefined ? undefined : read()
    if (found !== undefined) lastJudged = { version: found.version, isForeign: isForeign(detect({ bytes: found.bytes, file: name }).kind) }
    return version() !== undefined && lastJudged.isForeign
  }
  isReadOnly()
  const write = (bytes: Uint8Array, before: string | null | undefined) => {
    const old = contents()
    if ((old && hashOf(old)) !== before) return undefined
    saveText(name, bytes, { zipped: old === undefined ? name.endsWith('.gz') : isCompressed(old) })
    const now = hashOf(contents() ?? '')
    lastJudged = { version: now, isForeign: false }
    return now
  }
  return {
    name: basename(name).replace(/\.(gz|zst)$/, ''),
    id: `file-${hashOf(place).slice(0, 22)}`,
    read,
    version,
    write,
    get readOnly() {
      return isReadOnly()
    },
  }
}

export type WorkbenchFile = ReturnType<typeof openFile>
