// The programs of the README and of the pages of the documentation, run unchanged.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { install, repository } from './tarball.mjs'

/** The text of a page below `public/docs`, or of the `README` of the package. */
export const pageText = (page) =>
  readFileSync(join(repository, page === 'README' ? 'wasm-pkg/README.md' : `public/docs/${page}.md`), 'utf8')

/** The blocks of a language in a text. */
export const blocksIn = (text, language) => [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code)

/** The blocks of a language in a section of a page, at any level, or before its first section. */
export const blocksOf = (page, section, language) => {
  const [first, ...sections] = pageText(page).split(/^(?=###? )/m)
  if (section === undefined) return blocksIn(first, language)
  const at = sections.findIndex((part) => /^###? (.*)\n/.exec(part)[1] === section)
  if (at < 0) throw new Error(`${page}.md has no section ${section}`)
  // What is below a section belongs to it.
  const below = sections[at].startsWith('### ') ? 0 : sections.slice(at + 1).findIndex((part) => part.startsWith('## '))
  const end = below < 0 ? sections.length : at + 1 + below
  return blocksIn(sections.slice(at, end).join(''), language)
}

/** A folder in which a program finds the package, files, and packages of the folder `home`. */
const folderWith = ({ files = {}, home, packages = [] }) => {
  const folder = install()
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(home, 'node_modules', name), link)
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Runs a program in a folder of its own, and gives its exit code and what it printed. */
export const tryProgram = (code, args) => {
  const folder = folderWith(args)
  writeFileSync(join(folder, 'program.mjs'), `import assert from 'node:assert/strict'\n${code}`)
  return spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' })
}

/** The same for a program that has to succeed. */
export const runProgram = (code, args) => {
  const { status, stderr } = tryProgram(code, args)
  assert.equal(status, 0, stderr)
}
