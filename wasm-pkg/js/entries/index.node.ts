// Node, Deno and Bun. Node reads the wasm from the file in the package, which takes half of the time of a module that holds it
// as text. Bundlers get such a module, compressed, so that a bundle of a server needs no other file; and so do Deno, which
// reads no file by itself, and Bun: see `imports` of the manifest. The CommonJS entry is made of this one: see wasm.required.js.
import { appendFileSync, closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { appendFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import zlib, { gunzipSync, gzipSync } from 'node:zlib'
import { useGunzip as useGunzipInAuthoring, useWriting } from '../authoring/bundle.ts'
import { ensureStarted, initSync, useFiles, useGunzip, useLogs, useRecording, useStart } from '../api/bundle.ts'
import coreWasm from '#core.wasm'
import { codeOf, makeFolder } from './folder.node.ts'
import { wasm } from './wasm.node.ts'

/** Before its release 22.15 Node has no function for Zstandard: calling it is an error as any other. */
const gunzip = (bytes: Uint8Array, most: number, isZstandard: boolean) =>
  isZstandard ? zlib.zstdDecompressSync(bytes, { maxOutputLength: most }) : gunzipSync(bytes, { maxOutputLength: most })

useStart(() => initSync(wasm(coreWasm)))
ensureStarted()
useGunzip(gunzip)
useGunzipInAuthoring(gunzip)
useFiles(readFile)

const nameOf = (path: string | URL) => (path instanceof URL ? fileURLToPath(path) : path)
/** The byte of the header of gzip that names the operating system; 255 is "unknown", so that all write the same. */
const SYSTEM = 9

const zipped = (text: string) => {
  const bytes = gzipSync(text, { level: 9 })
  bytes[SYSTEM] = 255
  return bytes
}

const write = async (path: string | URL, text: string) => {
  makeFolder(dirname(nameOf(path)))
  await writeFile(path, /\.gz$/i.test(nameOf(path)) ? zipped(text) : text)
}
useWriting(write)

/** Whether a file ends within a line; one that is not there, or that cannot be read, does not. */
const isCut = (path: string | URL) => {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const last = new Uint8Array(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
useRecording({ append: appendFileSync, isCut, write, siblingPath: (path, name) => join(dirname(nameOf(path)), name) })

/** Makes an empty file where there is none. */
const begin = (path: string, text: string) => {
  makeFolder(dirname(path))
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    closeSync(openSync(path, 'r+'))
  }
}
const endsLine = async (path: string) => {
  const file = await open(path, 'r').catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return true
  try {
    const { size } = await file.stat()
    const last = size > 0 ? await file.read(Buffer.alloc(1), 0, 1, size - 1) : undefined
    return last === undefined || last.buffer[0] === 0x0a
  } finally {
    await file.close()
  }
}
const appendTo = async (path: string, text: string) => {
  makeFolder(dirname(path))
  await appendFile(path, text)
}
const replace = async (path: string, text: string) => {
  const temporary = `${path}.${process.pid}.new`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
/** How long a writer waits for another one, in milliseconds; one that takes longer has been stopped. */
const PATIENCE = 5000
/** Does something while no other program that waits here does it with the same file. */
const exclusively = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
  const lock = `${path}.lock`
  makeFolder(dirname(path))
  for (const begin = Date.now(); ; ) {
    try {
      await (await open(lock, 'wx')).close()
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (Date.now() - begin > PATIENCE) break
      await new Promise((done) => setTimeout(done, 2 + Math.random() * 8))
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}
useLogs({
  begin,
  endsLine,
  append: appendTo,
  replace,
  exclusively,
  read: (path) => readFile(path, 'utf8'),
  join,
  resolve,
  pathOf: fileURLToPath,
  home: homedir,
  env: process.env,
})
