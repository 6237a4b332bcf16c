import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Misuse, reasonOf } from './failure.js'

/** Writes a file whole or not at all: what it held before is lost only when the new text is safe. */
export const saveText = (file, text) => {
  const replaces = !existsSync(file) || statSync(file).isFile()
  const beside = `${file}.${process.pid}.new`
  try {
    if (!replaces) return writeFileSync(file, text)
    writeFileSync(beside, text)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new Misuse(`cannot write \`${file}\`: ${reasonOf(error)}`)
  }
}
