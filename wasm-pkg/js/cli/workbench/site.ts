// The site of the workbench, as it is in the package: see `site.mjs` of its build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { UsageError } from '../failure.ts'

/** A file of the site. */
interface SiteFile {
  type: string
  bytes: Buffer
}

export interface Site {
  /** What its pages allow themselves. */
  policy: string
  /** A file by its name; undefined for a name that nothing has. */
  at(name: string): SiteFile | undefined
}

const TYPES: { [ending: string]: string } = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  yaml: 'text/yaml; charset=utf-8',
}

const read = (path: string) => {
  try {
    return readFileSync(fileURLToPath(new URL(path, import.meta.url)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The wasm modules of the site by their names: the first line says how long each is. */
const readModules = () => {
  const whole = brotliDecompressSync(read('./site/modules.br')!)
  const end = whole.indexOf('\n')
  const sizes: [string, number][] = JSON.parse(String(whole.subarray(0, end)))
  let at = end + 1
  return new Map(sizes.map(([name, size]) => [name, whole.subarray(at, (at += size))]))
}

/** The site. Throws a misuse when this build of the package has none. */
export const openSite = (): Site => {
  const packed = read('./site/texts.json.br')
  if (packed === undefined) {
    throw new UsageError('this build of the package has no workbench', 'use the published package, or build one with `cargo xtask build`')
  }
  const texts: { [name: string]: string } = JSON.parse(String(brotliDecompressSync(packed)))
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(texts['index.html']!)!
  let modules: Map<string, Buffer> | undefined
  const at = (name: string) => {
    const type = TYPES[name.replace(/^.*\./s, '')]!
    if (Object.hasOwn(texts, name)) return { type, bytes: Buffer.from(texts[name]!) }
    // A name is never a path: no other file of the package is reached by one.
    if (/^schema\/[\w-]+(\.[\w-]+)*\.json$/.test(name)) {
      const bytes = read(`../${name}`)
      return bytes && { type, bytes }
    }
    // The workers load the two parts of the package's own module, and a third part that only the site has.
    const isCore = /^engine_bg-[\da-f]{16}\.wasm$/.test(name)
    if (isCore || name === 'authoring.wasm') {
      const bytes = read(isCore ? './core.wasm' : './authoring.wasm')
      return bytes && { type, bytes }
    }
    const bytes = name.endsWith('.wasm') ? (modules ??= readModules()).get(name) : undefined
    return bytes && { type, bytes }
  }
  return { policy: policy!, at }
}
