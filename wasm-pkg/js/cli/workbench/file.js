// The one file that the workbench reads and writes.
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { detect } from 'transcript-workbench'
import { isCompressed } from '../../api/gzip.js'
import { decompress, isPacked } from '../compressed.js'
import { Misuse, reasonOf } from '../failure.js'
import { saveText } from '../save.js'

/** What other programs wrote is theirs: transcripts are made of it, and never written over it. */
const isForeign = (kind) => !['full', 'partial', 'compact', 'handlers', 'unknown'].includes(kind)

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('base64url')

const known = (ask, name) => {
  try {
    return ask()
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw new Misuse(`cannot read \`${name}\`: ${reasonOf(error)}`)
  }
}

/** Where a file is, or will be: the same for every way of naming it, and for as long as its links lead there. */
const placeOf = (name) => {
  const real = known(() => realpathSync(name), name)
  if (real !== undefined) return real
  const folder = known(() => realpathSync(dirname(name)), name)
  if (folder === undefined) throw new Misuse(`cannot open \`${name}\`: its folder does not exist`)
  return join(folder, basename(name))
}

/**
 * The file of that name, which need not exist yet.
 *
 * `read()` gives `{version, bytes}` of what is in it now, decompressed, or undefined while there is none; `version()` alone
 * costs nothing while nothing changes. `write(bytes, before)` replaces it whole when it still is that version,
 * undefined for none, and gives the new version, or undefined when it is another one. `readOnly` says that what is in it
 * now is not written over.
 */
export const openFile = (name, limit) => {
  const place = placeOf(name)
  const contents = () => {
    const stat = known(() => statSync(name), name)
    if (stat === undefined) return undefined
    if (!stat.isFile()) throw new Misuse(`cannot open \`${name}\`: it is ${stat.isDirectory() ? 'a folder' : 'no file'}`)
    return known(() => readFileSync(name), name)
  }
  const stampOf = () => {
    const stat = known(() => statSync(name, { bigint: true, throwIfNoEntry: false }), name)
    return stat && [stat.mtimeNs, stat.ctimeNs, stat.size, stat.ino].join()
  }
  let seen = {}
  const version = () => {
    const stamp = stampOf()
    if (stamp !== seen.stamp) {
      const bytes = contents()
      seen = { stamp, version: bytes && hashOf(bytes) }
    }
    return seen.version
  }
  const read = () => {
    const bytes = contents()
    if (bytes === undefined) return undefined
    return { version: hashOf(bytes), bytes: isPacked(bytes) ? decompress(bytes, name, limit) : bytes }
  }
  // What the page wrote is ours, whatever it looks like; what another program put there since is judged anew.
  let judged = {}
  const isReadOnly = () => {
    const found = version() === judged.version && judged.version !== undefined ? undefined : read()
    if (found !== undefined) judged = { version: found.version, isForeign: isForeign(detect({ bytes: found.bytes, file: name }).kind) }
    return version() !== undefined && judged.isForeign
  }
  isReadOnly()
  const write = (bytes, before) => {
    const old = contents()
    if ((old && hashOf(old)) !== before) return undefined
    saveText(name, bytes, { zipped: old === undefined ? name.endsWith('.gz') : isCompressed(old) })
    const now = hashOf(contents() ?? '')
    judged = { version: now, isForeign: false }
    return now
  }
  return { name: basename(name).replace(/\.(gz|zst)$/, ''), id: `file-${hashOf(place).slice(0, 22)}`, read, version, write, get readOnly() { return isReadOnly() } }
}
