// Reads a wasm for a require() in Node: the file next to the entry, so that the CommonJS entry holds no text of
// it. Bundlers that know the condition `module` never come here, they take the ES module for a require(), too. What
// others make lies in another folder, and has the text in it by the require() that `inlined` holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wasm as inflated } from './wasm.node.ts'

/** A module that the build writes for the CommonJS entry. */
interface RequiredWasm {
  name: string
  size: number
  inlined: () => InlinedWasm
}

const readNextToEntry = (name: string) => {
  try {
    return readFileSync(join(__dirname, `${name}.wasm`))
  } catch {
    return undefined
  }
}

/** The bytes of a module. A file of another size is none of this package. */
export const wasm = ({ name, size, inlined }: RequiredWasm) => {
  const bytes = readNextToEntry(name)
  return bytes?.length === size ? bytes : inflated(inlined())
}
