// Runs after trunk has put the site together, on the folder it is about to publish:
// - the stylesheets become two files: of what is there at first, and of the panes that are loaded later;
// - the inline loader becomes a file, since the page's policy allows no inline script;
// - the documentation is rendered into pages next to it, with a search and links that open its examples, in a release
//   with the API reference of the npm package;
// - in a release the page's wasm is split, so that what is hidden at first loads later;
// - in a release the module of the workers is split, so that what opening a document does not need loads later;
// - the workers, the editor and the scripts of Markdown, and what they load, get names that change with what is in them;
// - in a release scripts and styles are minified, the policy is written into the page, and anything it would block is an error.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, transformSync } from 'esbuild'
import { renderDocs } from './docs.mjs'
import { documentReader } from './docs-snippets.mjs'
import { startReference } from './reference.mjs'
import { glueOfFirst } from './split-by-calls.mjs'
import { splitEngine } from './split-engine.mjs'
import { splitPage } from './split-page.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const site = process.env.TRUNK_STAGING_DIR
const release = process.env.TRUNK_PROFILE === 'release'
const page = join(site, 'index.html')
// It takes seconds, and a development build is made at every change.
const reference = release ? startReference() : undefined

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // A frame of its own asks other hosts, after a person has agreed to them.
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A script or a style sheet as published. */
function sent(extension, text) {
  if (!release || !['css', 'js'].includes(extension)) return text
  return transformSync(text.toString(), { loader: extension, minify: true, target: 'es2022', charset: 'utf8', legalComments: 'inline' })
    .code
}

function publish(name, extension, written) {
  const text = sent(extension, written)
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const file = `${name}-${hash}.${extension}`
  writeFileSync(join(site, file), text)
  return file
}

let html = readFileSync(page, 'utf8')

// The panes of src/panes/lazy_panes.rs that share no style with others.
const ofLazyPanes = /^(?:\.\/)?(?:agents|assertions|cards|change_step|compare|generate|handlers|history|read|share|sheet|timeline)-/
const [sheets, lazySheets] = [[], []]
html = html.replace(/<link rel="stylesheet" href="([^"]+)"[^>]*>\s*/g, (_, href) => {
  const file = join(site, href)
  const list = ofLazyPanes.test(href) ? lazySheets : sheets
  list.push(readFileSync(file, 'utf8'))
  rmSync(file)
  return ''
})
const style = publish('style', 'css', sheets.join('\n'))
const paneStyles = `data-panes="${publish('panes', 'css', lazySheets.join('\n')).replace(/\.css$/, '')}"`
html = html.replace('</title>', `</title>\n    <link rel="stylesheet" href="./${style}">`)

const take = (file) => {
  const content = readFileSync(join(site, file))
  rmSync(join(site, file))
  return content
}

/** A script of a folder with what it imports, except the files of the site. */
function bundled(folder, script) {
  const { outputFiles } = buildSync({
    stdin: { contents: script, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    absWorkingDir: folder,
    external: ['./*'],
  })
  return outputFiles[0].text
}

/** What the glue of the workers' module has besides: the function that adds the exports of a later part. */
const ADD_EXPORTS = '\nexport const addExports = (exports) => { wasm = { ...wasm, ...exports } }\n'

/** Publishes the module of the workers with its glue. Returns how the workers name each file, with the published name. */
async function engine() {
  const [wasm, glue] = [take('transcript-wasm_bg.wasm'), take('transcript-wasm.js').toString()]
  openDocument = await documentReader(wasm, glue)
  const parts = release ? await splitEngine({ wasm, glue, examples: join(here, '../../public/examples') }) : { bg: wasm }
  const names = Object.entries(parts).map(([part, bytes]) => [`engine_${part}.wasm`, publish(`engine_${part}`, 'wasm', bytes)])
  const script = (release ? glueOfFirst(glue) : glue).replaceAll('transcript-wasm_bg.wasm', names[0][1])
  return [...names, ['engine.js', publish('engine', 'js', script + ADD_EXPORTS)]]
}

/** Publishes the script of a worker; `names` are those of the files of the module. Returns the attribute that names it. */
function worker(folder, names) {
  const source = join(here, '..', folder)
  let script = bundled(source, readFileSync(join(source, 'worker.js'), 'utf8'))
  for (const [name, published] of names) script = script.replaceAll(`./${name}`, `./${published}`)
  // The page names a worker without its extension: it is no part of the first load.
  return `data-${folder}="${publish(folder, 'js', script).replace(/\.js$/, '')}"`
}

/** A script of a folder with everything that it is made of, except the files in `external`. */
function whole(file, external = []) {
  const { outputFiles } = buildSync({
    entryPoints: [join(here, '..', file)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    minify: release,
    external,
  })
  return outputFiles[0].text
}

/** Publishes the editor, as one script that is loaded with the first document. */
function editor() {
  return `data-editor="${publish('editor', 'js', whole('editor/editor.js')).replace(/\.js$/, '')}"`
}

/** Publishes what shows Markdown, and apart from it what marks the parts of code. */
function markdown() {
  const highlight = publish('highlight', 'js', whole('markdown/highlight.js'))
  const text = whole('markdown/markdown.js', ['./highlight.js']).replace('./highlight.js', `./${highlight}`)
  return `data-markdown="${publish('markdown', 'js', text).replace(/\.js$/, '')}"`
}

/** Publishes the texts of another language by the English ones, as JSON in a script: the page itself has the English ones alone. */
function translation(language) {
  const folder = join(here, '../src/strings', language)
  const texts = Object.assign(
    {},
    ...readdirSync(folder)
      .sort()
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  )
  for (const [english, text] of Object.entries(texts)) if (english === text) delete texts[english]
  return publish(language, 'js', `export default ${JSON.stringify(JSON.stringify(texts))};\n`)
}

/** Publishes the frame that asks other hosts. Its script is inline: the frame has no origin to load files from. */
function outside() {
  const { outputFiles } = buildSync({
    entryPoints: [join(here, '../outside/frame.js')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    minify: true,
  })
  const script = outputFiles[0].text.replaceAll('</', '<\\/')
  const hash = createHash('sha256').update(script).digest('base64')
  // Any host at first; the script narrows that to the one that was agreed to before it asks anything.
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src https: http://localhost:* http://127.0.0.1:*`
  const frame = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Transcript Workbench</title><script>${script}</script></head></html>\n`
  const page = readFileSync(join(here, '../outside/page.js'), 'utf8').replace('__FRAME__', `./${publish('outside', 'html', frame)}`)
  return `data-outside="${publish('outside', 'js', page).replace(/\.js$/, '')}"`
}

/** Publishes the script that caches the site. The worker that does it must never change its name. */
function offline() {
  const page = readFileSync(join(here, '../offline/page.js'), 'utf8').replace('__WORKER__', WORKER)
  return `data-offline="${publish('offline', 'js', page).replace(/\.js$/, '')}"`
}

/** Publishes the parts of the page's module instead of what trunk made of it. Returns their names. */
function splitOff(script, wasm) {
  for (const file of [script, wasm]) rmSync(join(site, file))
  const source = readFileSync(join(here, '../index.html'), 'utf8')
  const [, more] = source.match(/data-wasm-opt-params="([^"]*)"/)
  return splitPage({ name: 'transcript-web', optimise: ['-O2', ...more.split(' ')], site, html, german, publish })
}

/** Writes that worker, which has to know all other files. */
function keeper() {
  const files = readdirSync(site)
    .filter((file) => /\.(css|js|wasm|svg)$|^outside-.*\.html$/.test(file))
    .sort()
  const version = createHash('sha256').update(readFileSync(page))
  for (const file of files) version.update(file)
  // These names never change.
  const examples = readdirSync(join(site, 'examples')).sort()
  for (const name of ['prices.json', ...examples.map((name) => `examples/${name}`)]) {
    files.push(name)
    version.update(readFileSync(join(site, name)))
  }
  const script = readFileSync(join(here, '../offline/worker.js'), 'utf8')
    .replace('__FILES__', JSON.stringify(files))
    .replace('__VERSION__', version.digest('hex').slice(0, 16))
  writeFileSync(join(site, WORKER), sent('js', script))
}

const WORKER = 'service-worker.js'
/** Opens a text as the page does. */
let openDocument
const names = await engine()
const workers = ['reader', 'logs', 'author', 'served'].map((folder) => worker(folder, names))
html = html.replace('<div id="app"', `<div id="app" ${[...workers, paneStyles, editor(), markdown(), outside(), offline()].join(' ')}`)

const files = readdirSync(site)
const wasm = files.find((file) => file.endsWith('.wasm') && !file.startsWith('engine_'))
const script = files.find((file) => file === wasm?.replace(/_bg\.wasm$/, '.js'))
if (!wasm || !script) throw new Error(`no wasm module with its script among: ${files.join(', ')}`)
const german = translation('de')
const first = release ? await splitOff(script, wasm) : { script, wasm, rest: '' }
const boot = readFileSync(join(here, 'boot.js'), 'utf8')
  .replace('__SCRIPT__', `./${first.script}`)
  .replace('__WASM__', `./${first.wasm}`)
  .replace('__REST__', first.rest && `./${first.rest}`)
  .replace('__GERMAN__', `./${german}`)
const loader = publish('boot', 'js', bundled(here, boot))
let loaders = 0
html = html.replace(/<script type="module"[^>]*>[\s\S]*?<\/script>/g, (inline) => {
  if (!inline.includes(script)) return inline
  loaders += 1
  return `<script type="module" src="./${loader}"></script>`
})
if (loaders !== 1) throw new Error(`expected one inline loader, found ${loaders}`)
html = html.replaceAll(script, first.script).replaceAll(wasm, first.wasm)

// trunk leaves its own attribute standing on scripts.
html = html.replaceAll(' data-integrity="none"', '')

if (release) {
  if (/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/.test(html))
    throw new Error('the page has something inline that its policy would block')
  html = html.replace('<meta charset="utf-8"', `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}"`)
}
writeFileSync(page, html)
keeper()
renderDocs(site, { policy: release ? POLICY : undefined, publish, open: openDocument, reference: await reference })
