// Reads the public types of the npm package with TypeDoc, in a thread of its own, and answers with a Markdown page for each
// entry point. TypeDoc and not API Extractor: it reads all entry points in one run, and needs no report file for each.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { MODULES, manifest } from '../../wasm-pkg/manifest.mjs'

const here = fileURLToPath(import.meta.url)
const source = join(dirname(here), '../../wasm-pkg')

/** What each entry point is for, and the guide to it. */
const ABOUT = {
  '.': ['Check, write, replay, mock and record transcripts.', 'api.md'],
  './ai-sdk': ['Use recordings and mocks in the AI SDK and in Mastra.', 'adapters.md'],
  './openai-agents': ['Use recordings and mocks in the OpenAI Agents SDK.', 'adapters.md'],
  './langchain': ['Use recordings and mocks in LangChain.js and LangGraph.', 'adapters.md'],
  './mcp': ['Record and replay MCP tool servers.', 'mcp.md'],
  './fetch': ['Record and replay the clients of OpenAI and Anthropic.', 'fetch.md'],
  './server': ['Run the mock server and the recording proxy in Node.js.', 'server.md'],
  './vitest': ['Use matchers for recordings in Vitest.', 'testing.md'],
  './jest': ['Use matchers for recordings in Jest.', 'testing.md'],
  './worker': ['Run the calls of the package in a worker.', 'api.md#run-calls-in-a-worker'],
  './worker/thread': ['Bundle the module that a worker runs.', 'api.md#run-calls-in-a-worker'],
  './slim': ['Load the wasm of the package yourself.', 'api.md#entry-points'],
  './experimental': ['Order and verify logs of several agents. These calls may still change.', 'record-replay-spec.md'],
}

/** The entry points with types, in the order of `ABOUT`: the name to import, the module, the page. */
export function entryPoints() {
  const places = new Map(Object.keys(ABOUT).map((path, at) => [path, at]))
  const found = Object.entries(manifest('').exports).flatMap(([path, conditions]) => {
    const types = JSON.stringify(conditions).match(/"types":"\.\/dist\/([\w-]+)\.d\.ts"/)?.[1]
    if (!types) return []
    if (!places.has(path)) throw new Error(`web/build/reference.mjs does not say what the entry point ${path} is for`)
    const [about, guide] = ABOUT[path]
    const name = `transcript-workbench${path.slice(1)}`
    const page = path === '.' ? name : types
    return [{ path, name, about, guide, file: `js/${MODULES[types]}.ts`, page: `reference/${page}.md` }]
  })
  return found.sort((a, b) => places.get(a.path) - places.get(b.path))
}

/** Starts a thread that writes the pages. Returns a promise of `{pages, names}`; see `reference-pages.mjs`. */
export const startReference = () =>
  new Promise((resolve, reject) => {
    const thread = new Worker(here)
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the API reference was not written: exit code ${code}`)))
  })

async function convert() {
  const [{ Application }, { referencePages }] = await Promise.all([import('typedoc'), import('./reference-pages.mjs')])
  const entries = entryPoints()
  const application = await Application.bootstrap({
    entryPoints: entries.map(({ file }) => join(source, file)),
    tsconfig: join(source, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(source, 'node_modules/@types')] },
    readme: 'none',
    // `tsc` of the package checks the types.
    skipErrorChecking: true,
    preservedTypeAnnotationTags: ['@throws'],
    sort: ['source-order'],
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeExternals: true,
    disableSources: true,
    disableGit: true,
    logLevel: 'Error',
  })
  const project = await application.convert()
  if (!project || application.logger.hasErrors()) throw new Error('TypeDoc cannot read the types of the package')
  return referencePages(project, entries)
}

if (!isMainThread) parentPort.postMessage(await convert())
