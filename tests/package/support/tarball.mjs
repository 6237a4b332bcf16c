// The packed package, installed as a user would.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

const newest = (folder) => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(folder, name))
  files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (files.length === 0) throw new Error(`there is no packed package in ${folder}: run cargo xtask build`)
  return files[0]
}

/** The packed file: the one that `TRANSCRIPT_TARBALL` names, else the newest of the last build. */
export const tarball = () => process.env.TRANSCRIPT_TARBALL || newest(join(root, 'dist'))

/** The folder of the repository. */
export const repository = root

/** An empty folder in which the package is installed; it is removed when the process ends. */
export const install = (manifest = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-package-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, ...manifest }))
  // Offline: a package without dependencies needs no registry.
  const flags = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, tarball()], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}

/** Everything that these entries of an installed package export, for tests that bring libraries of their own. */
export const load = async (folder, ...entries) => {
  const code = entries.map((entry) => `export * from '${entry}'\n`).join('')
  const file = join(folder, 'load.mjs')
  writeFileSync(file, code)
  return import(pathToFileURL(file).href)
}
