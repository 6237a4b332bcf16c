// The declarations of the package: what `tsc` emits of the public modules, and of those that they lead to.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

/** Runs tsc on files, with the ambient declarations of `js`; its configuration is written to a folder. */
const runTsc = (folder, files, compilerOptions, what) => {
  const project = join(folder, 'tsconfig.json')
  const options = { typeRoots: [join(here, 'node_modules/@types')], ...compilerOptions }
  const include = [join(here, 'js/**/*.d.ts')]
  writeFileSync(project, JSON.stringify({ extends: join(here, 'tsconfig.json'), compilerOptions: options, files, include }))
  const flags = [join(here, 'node_modules/typescript/bin/tsc'), '--project', project]
  const { status, stdout, error } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${what}:\n${stdout}`)
}

const inTemporaryFolder = (work) => {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares what is declared of the glue with what wasm-bindgen has written: what is declared must be there, and have that type. */
export const checkGlueTypes = (bindgen) =>
  inTemporaryFolder((folder) => {
    const file = join(folder, 'glue.ts')
    const text = `import type * as declared from '#core'
import type * as written from '${join(bindgen, 'core').replaceAll('\\', '/')}.d.ts'
// The build adds \`addAuthoring\`. Constructors are private in the one and protected in the other; nobody calls them.
// \`Handle\` is what classes have in common.
type Shape<Module> = {
  [Name in Exclude<keyof Module, 'Handle' | 'addAuthoring'>]: Name extends \`\${string}Handle\`
    ? Module[Name] extends { prototype: infer Instance }
      ? { instance: Instance; statics: Omit<Module[Name], 'prototype'> }
      : never
    : Module[Name]
}
declare const shape: Shape<typeof written>
export const declaredShape: Shape<typeof declared> = shape
`
    writeFileSync(file, text)
    runTsc(folder, [file], { skipLibCheck: true }, 'the glue of wasm-bindgen is not what core-glue.d.ts declares')
  })

const SPECIFIER = /(?<=\b(?:from|import)\s*\(?\s*')\.{1,2}\/[^']+(?=')/g

/** Four spaces at the begin of a line become a tab, which is half of what tsc indents by in bytes. */
const indented = (text) => text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))

/** The types of plain data, which are in the package in one file. */
const DATA = 'types/generated/index'

/** What a module has besides types: values, or types of other packages, which may differ for a require(). */
const VALUES = /^export (?!type |interface |\{\s*\}|\{ type )|(?:from|import\()\s*'(?!\.)/m

/**
 * Writes the declarations of modules to a folder, and of all modules that they lead to; once for modules and once for
 * CommonJS. Modules of types alone are there once, for both: the types of a module may refer to those of a CommonJS one. `entries` are paths of modules below `js` without their endings, by the names of their declarations; those of
 * other modules are in the folder `types`.
 */
export const writeDeclarations = (entries, out) =>
  inTemporaryFolder((emitted) => {
    const files = Object.values(entries).map((module) => join(here, 'js', `${module}.ts`))
    const options = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: join(here, 'js'),
      outDir: emitted,
    }
    runTsc(emitted, files, options, 'tsc emits no declarations')
    const names = new Map(Object.entries(entries).map(([name, module]) => [module, name]))
    const nameOf = (module) => (module === DATA ? 'types/data' : (names.get(module) ?? `types/${module.replace(/^types\//, '')}`))
    const read = (module) => {
      // Declaration files are not emitted.
      const path = [join(emitted, `${module}.d.ts`), join(here, 'js', `${module}.d.ts`)].find((path) => existsSync(path))
      if (path === undefined) throw new Error(`there is no module js/${module}`)
      return indented(readFileSync(path, 'utf8'))
    }
    const writeData = () => {
      const modules = [...read(DATA).matchAll(/'\.\/(.*)\.ts'/g)].map(([, name]) => posix.join(posix.dirname(DATA), name))
      mkdirSync(dirname(join(out, nameOf(DATA))), { recursive: true })
      writeFileSync(join(out, `${nameOf(DATA)}.d.cts`), modules.map((module) => read(module).replaceAll(/^import .*\n/gm, '')).join(''))
    }
    // What each module leads to, by the paths in its declarations.
    const found = new Map()
    const reached = new Set(names.keys())
    for (const module of reached) {
      if (module === DATA) continue
      const text = read(module)
      const paths = text.match(SPECIFIER) ?? []
      const leadsTo = new Map(paths.map((path) => [path, posix.join(posix.dirname(module), path).replace(/(\.d)?\.ts$/, '')]))
      for (const next of leadsTo.values()) reached.add(next)
      found.set(module, { text, leadsTo })
    }
    // A class with a private field is another one in each of its two declarations.
    const isNominal = (module) => found.get(module)?.text.includes('#private') ?? false
    const isShared = (module) =>
      !names.has(module) && !VALUES.test(found.get(module).text) && ![...found.get(module).leadsTo.values()].some(isNominal)
    const shared = new Set([DATA, ...[...found.keys()].filter(isShared)])
    writeData()
    for (const [module, { text, leadsTo }] of found) {
      const from = nameOf(module)
      const write = (ending, target) => {
        const written = text.replaceAll(SPECIFIER, (path) => {
          const next = leadsTo.get(path)
          const to = nameOf(next)
          const folder = posix.relative(posix.dirname(from), posix.dirname(to)) || '.'
          return `${folder.startsWith('.') ? '' : './'}${folder}/${posix.basename(to)}.${shared.has(next) ? 'cjs' : target}`
        })
        mkdirSync(dirname(join(out, from)), { recursive: true })
        writeFileSync(join(out, `${from}.${ending}`), written)
      }
      // A require() gets the same types; only what they import has the other ending.
      write('d.cts', 'cjs')
      if (!shared.has(module)) write('d.ts', 'js')
    }
  })
