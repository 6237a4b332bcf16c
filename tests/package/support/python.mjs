// A Python with packages of its own, which a test installs into a virtual environment among the tools of the repository
// when it first needs them.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from './tarball.mjs'

/** The Python in the environment of that name, in which `imports` can be run once `pip install` has run for each of `releases`. */
export const pythonWith = (name, imports, ...releases) => {
  const home = join(repository, '.tools', name)
  const found = join(home, 'bin/python3')
  if (spawnSync(found, ['-c', imports]).status !== 0) {
    execFileSync(process.env.TRANSCRIPT_PYTHON || 'python3', ['-m', 'venv', '--clear', home])
    for (const release of releases) {
      execFileSync(found, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...release])
    }
  }
  return found
}
