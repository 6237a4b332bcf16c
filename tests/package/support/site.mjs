// The package with the workbench in it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packSite } from '../../../wasm-pkg/site.mjs'
import { install, repository } from './tarball.mjs'

/** Installs the package; one that was packed without a site gets the one that `TRANSCRIPT_SITE` names, or the built one. */
export const installWithSite = () => {
  const folder = install()
  const site = join(folder, 'node_modules/transcript-workbench/dist/site')
  if (!existsSync(site)) packSite(process.env.TRANSCRIPT_SITE ?? join(repository, 'dist/site'), site)
  return folder
}
