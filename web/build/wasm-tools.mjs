// The programs that change a wasm module.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

// Engines read no list of features. Locals in the order of their use make the compressed parts 0.1 % smaller.
const OPTIMISE = ['--remove-unused-module-elements', '--reorder-locals', '--dealign', '--strip-target-features']

/** The module of a crate as cargo has linked it; `file` is the name of the file. */
export function linkedModule(profile, file) {
  const args = ['metadata', '--no-deps', '--offline', '--format-version', '1']
  const { target_directory: target } = JSON.parse(execFileSync('cargo', args, { maxBuffer: 1 << 26 }))
  return join(target, 'wasm32-unknown-unknown', profile, file)
}

/** Runs a command of `cargo xtask wasm`. */
export function xtask(...args) {
  if (!process.env.TRANSCRIPT_XTASK) throw new Error('a release is built by `cargo xtask build`, which splits its modules')
  execFileSync(process.env.TRANSCRIPT_XTASK, ['wasm', ...args], { stdio: 'inherit' })
}

// Each round of ordering starts from another order; the size changes by up to 0.4 %.
const ROUNDS = 4

/** The bytes of a part, a file, without what it does not use, in the smallest of several orders. */
export function optimisedPart(file) {
  execFileSync('wasm-opt', [...OPTIMISE, file, '-o', `${file}.opt`])
  return smallest(orders(`${file}.opt`))
}

/** The bytes of a part, a file, as it is or in another order, where that is smaller. */
export const reorderedPart = (file) => smallest([readFileSync(file), ...orders(file)])

function orders(file) {
  let last = file
  return Array.from({ length: ROUNDS }, () => {
    const bytes = orderedBySimilarity(last)
    last += '.ordered'
    return bytes
  })
}

function smallest(modules) {
  const sizes = modules.map((bytes) => brotliCompressSync(bytes).length)
  return modules[sizes.indexOf(Math.min(...sizes))]
}

/** The bytes of a module, a file, in the order that compresses best. */
export function orderedBySimilarity(file) {
  xtask('order', file, `${file}.ordered`)
  return readFileSync(`${file}.ordered`)
}
