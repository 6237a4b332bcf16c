// Prints the raw, gzip and brotli size of the site's files and of the npm package's wasm.
//
//     node size.mjs SITE_FOLDER NPM_FOLDER
//
// The first load is what the page names in `index.html` and, through it, the files that its style sheets
// name. What is only fetched later (examples, documentation, the editor) is summed up apart.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const [site, npm] = process.argv.slice(2)
const { bytes: budget } = JSON.parse(readFileSync(new URL('../../tests/budgets.json', import.meta.url), 'utf8'))

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort()

const isLocal = (address) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)

/** The files that `text` refers to, as paths from the site's root. */
const referencesIn = (text, pattern, from) =>
  [...text.matchAll(pattern)]
    .map((match) => match[1])
    .filter(isLocal)
    .map((address) => posix.join(dirname(from), address.split(/[?#]/)[0]).replace(/^\//, ''))

const patterns = [
  [/\.html$/, /(?:href|src)=["']?([^"'\s>]+)/g],
  // The loader script in the page names the wasm in a string of its own.
  [/\.html$/, /["']([^"'\s]+\.(?:wasm|js))["']/g],
  [/\.css$/, /url\(["']?([^"')]+)["']?\)/g],
  // Static imports, and files that a script names relative to itself; `import()` is for later.
  [/\.m?js$/, /(?:import|from)\s*["']([^"']+)["']/g],
  [/\.m?js$/, /new URL\(\s*["']([^"']+)["'],\s*import\.meta\.url/g],
]

const reachedFrom = (all, start) => {
  const known = new Set(all)
  const found = new Set()
  const waiting = [start]
  while (waiting.length > 0) {
    const file = waiting.pop()
    if (found.has(file) || !known.has(file)) continue
    found.add(file)
    const matching = patterns.filter(([kind]) => kind.test(file))
    if (matching.length === 0) continue
    const text = readFileSync(join(site, file), 'utf8')
    for (const [, pattern] of matching) waiting.push(...referencesIn(text, pattern, file))
  }
  return [...found].sort()
}

const sizes = (path) => {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes, { params }).length]
}

const columns = (numbers) => numbers.map((number) => number.toLocaleString('en-US').padStart(12)).join('')
const sum = (rows) => rows.reduce((total, row) => total.map((number, at) => number + row[at]), [0, 0, 0])

const print = (title, folder, files) => {
  console.log(`\n${title.padEnd(44)}${['raw', 'gzip', 'brotli'].map((word) => word.padStart(12)).join('')}`)
  const rows = files.map((file) => sizes(join(folder, file)))
  rows.forEach((row, at) => console.log(`  ${files[at].slice(-40).padEnd(42)}${columns(row)}`))
  if (rows.length > 1) console.log(`  ${'in all'.padEnd(42)}${columns(sum(rows))}`)
}

const all = filesBelow(site)
// These parts of a module come later than its first one.
const isRest = (file) => /_(rest|extra)-/.test(file)
const first = reachedFrom(all, 'index.html').filter((file) => !isRest(file))
print('first load of the site', site, first)
// The page names its reader without an extension, for it is fetched with the first document or when the page is idle.
const named = readFileSync(join(site, 'index.html'), 'utf8').match(/data-reader="([^"]+)"/)?.[1]
const reader = named ? reachedFrom(all, `${named}.js`).filter((file) => !isRest(file)) : []
if (reader.length > 0) print('the reader, fetched with the first document', site, reader)
const editor = all.filter((file) => /^editor-[0-9a-f]+\.js$/.test(file))
print('the editor, fetched with the first document', site, editor)
for (const [name, files] of [
  ['first load with the editor, brotli', [...first, ...editor]],
  ['until the first document is open, brotli', [...first, ...editor, ...reader]],
]) {
  console.log(`\n  ${name}, of ${budget[name].toLocaleString('en-US')}`)
  console.log(`  ${''.padEnd(42)}${columns(sum(files.map((file) => sizes(join(site, file)))))}`)
}
const parts = all.filter((file) => (/^transcript-web-.*\.wasm$/.test(file) && !first.includes(file)) || isRest(file))
print('what is not in sight at first', site, parts)
const later = all.filter((file) => ![...first, ...reader, ...editor, ...parts].includes(file))
if (later.length > 0) {
  const total = sum(later.map((file) => sizes(join(site, file))))
  console.log(`  ${`${later.length} more files, fetched when needed`.padEnd(42)}${columns(total)}`)
}
if (existsSync(npm)) {
  print(
    'wasm of the npm package',
    npm,
    filesBelow(npm).filter((file) => file.endsWith('.wasm')),
  )
}
