// Modules of the package by themselves, from their sources.
import { join } from 'node:path'
import { build } from 'esbuild'
import { repository } from '../support/tarball.mjs'

/** Imports a module of `wasm-pkg/js`, such as `wire/sse`, which needs no wasm. */
export const importSource = async (name) => {
  const entry = join(repository, 'wasm-pkg/js', name)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
}
