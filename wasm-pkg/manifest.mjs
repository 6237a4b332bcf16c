// The manifest of the packed package.

/** Where the wasm comes from: only Node itself reads the file, others take the module that holds it as text. */
const wasmOf = (name) => {
  const inlined = `./dist/${name}.wasm.deflate.js`
  return { module: inlined, deno: inlined, bun: inlined, node: `./dist/${name}.wasm.file.js`, default: inlined }
}

/** The modules below `js` with the public types, by the names of their declarations. */
export const MODULES = {
  index: 'entries/index',
  slim: 'entries/slim',
  worker: 'entries/worker',
  'worker-thread': 'entries/worker-thread',
  experimental: 'entries/experimental',
  'ai-sdk': 'ai-sdk/index',
  'openai-agents': 'openai-agents/index',
  langchain: 'langchain/index',
  mcp: 'mcp/index',
  fetch: 'fetch/index',
  server: 'server/index',
  vitest: 'matchers/vitest',
  jest: 'matchers/jest',
}

/** Types before code: TypeScript takes the first condition that matches. */
const entry = (code, types) => ({ types: `./dist/${types}`, default: `./dist/${code}` })

const both = (name) => ({
  import: entry(`${name}.js`, `${name}.d.ts`),
  require: entry(`${name}.cjs`, `${name}.d.cts`),
})

export const manifest = (version) => ({
  name: 'transcript-workbench',
  version,
  description: 'Write, check, replay and share transcripts of LLM agent runs: a library for tests and a command line',
  keywords: ['llm', 'agent', 'transcript', 'replay', 'testing', 'ai-sdk', 'mock', 'wasm'],
  license: 'MIT OR Apache-2.0',
  type: 'module',
  engines: { node: '>=20' },
  bin: { transcript: 'dist/cli.js' },
  man: ['./man/transcript.1'],
  main: './dist/index.node.cjs',
  module: './dist/index.inline.js',
  types: './dist/index.d.ts',
  exports: {
    '.': {
      workerd: entry('index.workerd.js', 'index.d.ts'),
      node: {
        // Bundlers take this for a require(), too: only Node itself finds the wasm that lies next to index.node.cjs.
        module: entry('index.node.js', 'index.d.ts'),
        import: entry('index.node.js', 'index.d.ts'),
        require: entry('index.node.cjs', 'index.d.cts'),
      },
      types: './dist/index.d.ts',
      default: './dist/index.inline.js',
    },
    './ai-sdk': both('ai-sdk'),
    './openai-agents': both('openai-agents'),
    './langchain': both('langchain'),
    './mcp': both('mcp'),
    './fetch': both('fetch'),
    './server': both('server'),
    './slim': both('slim'),
    './vitest': both('vitest'),
    './jest': both('jest'),
    './experimental': {
      workerd: entry('experimental.workerd.js', 'experimental.d.ts'),
      node: {
        module: entry('experimental.node.js', 'experimental.d.ts'),
        import: entry('experimental.node.js', 'experimental.d.ts'),
        require: entry('experimental.node.cjs', 'experimental.d.cts'),
      },
      types: './dist/experimental.d.ts',
      default: './dist/experimental.inline.js',
    },
    './worker': {
      workerd: entry('worker.workerd.js', 'worker.d.ts'),
      node: {
        module: entry('worker.node.js', 'worker.d.ts'),
        import: entry('worker.node.js', 'worker.d.ts'),
        require: entry('worker.node.cjs', 'worker.d.cts'),
      },
      types: './dist/worker.d.ts',
      default: './dist/worker.inline.js',
    },
    './worker/thread': {
      node: {
        import: entry('worker-thread.node.js', 'worker-thread.d.ts'),
        require: entry('worker-thread.node.cjs', 'worker-thread.d.cts'),
      },
      types: './dist/worker-thread.d.ts',
      default: './dist/worker-thread.inline.js',
    },
    './core.wasm': './dist/core.wasm',
    './authoring.wasm': './dist/authoring.wasm',
    './schema/*.json': './schema/*.json',
    './examples/*': './examples/*',
    './package.json': './package.json',
  },
  imports: { '#core.wasm': wasmOf('core'), '#authoring.wasm': wasmOf('authoring') },
  // Taken up only where they are: no framework comes with the package.
  files: ['dist', 'docs', 'examples', 'man', 'schema', 'LICENSE-MIT', 'LICENSE-APACHE'],
  // The entries start the core when they are imported; a bundler must not drop that.
  sideEffects: [
    './dist/index.*.js',
    './dist/index.node.cjs',
    './dist/cli*.js',
    './dist/core.js',
    './dist/core.cjs',
    './dist/worker-thread.*',
    './dist/vitest.*',
    './dist/jest.*',
  ],
  peerDependencies: { '@langchain/core': '>=1', vitest: '>=3' },
  peerDependenciesMeta: { '@langchain/core': { optional: true }, vitest: { optional: true } },
  publishConfig: { access: 'public', provenance: true },
})
