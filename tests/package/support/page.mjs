// The programs of a page of the documentation, run as they stand there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { install, repository } from './tarball.mjs'

/** The blocks of a language in a section of a page, or before its first section. */
export const blocksOf = (page, section, language) => {
  const text = readFileSync(join(repository, 'public/docs', `${page}.md`), 'utf8')
  const sections = text.split(/^## /m)
  const found = section === undefined ? sections[0] : sections.find((part) => part.startsWith(`${section}\n`))
  if (found === undefined) throw new Error(`${page}.md has no section ${section}`)
  return [...found.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code)
}

/**
 * Runs a program in a folder of its own, where it finds the package, files, and packages of the folder `home`; what it prints
 * when it fails is in what is thrown.
 */
export const runProgram = (code, { files = {}, home, packages = [] }) => {
  const folder = install()
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(home, 'node_modules', name), link)
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'program.mjs'), `import assert from 'node:assert/strict'\n${code}`)
  execFileSync(process.execPath, ['program.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
}
