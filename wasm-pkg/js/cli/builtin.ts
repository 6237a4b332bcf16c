import { createRequire } from 'node:module'

/** The modules of Node that are loaded so. */
interface Builtins {
  'node:child_process': typeof import('node:child_process')
  'node:v8': typeof import('node:v8')
  'node:zlib': typeof import('node:zlib')
}

/** A module of Node that few runs need, such as `node:zlib`: each takes milliseconds to load. */
export const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] => createRequire(import.meta.url)(name)
