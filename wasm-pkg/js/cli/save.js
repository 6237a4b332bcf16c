import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { compress } from './compressed.js'
import { Misuse, reasonOf } from './failure.js'

/**
 * Writes a file whole or not at all: what it held before is lost only when the new text is safe. A file whose name
 * ends in `.gz` is compressed.
 */
export const saveText = (file, text) => {
  const content = file.endsWith('.gz') ? compress(text) : text
  const replaces = !existsSync(file) || statSync(file).isFile()
  const beside = `${file}.${process.pid}.new`
  try {
    if (!replaces) return writeFileSync(file, content)
    writeFileSync(beside, content)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new Misuse(`cannot write \`${file}\`: ${reasonOf(error)}`)
  }
}

/** Writes `text` where a command's `-o` says: to a file, or to the standard output. */
export const give = (text, output, terminal) => {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  if (output === undefined || output === '-') terminal.out(ended)
  else saveText(output, ended)
}
