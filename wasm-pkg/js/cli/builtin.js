import { createRequire } from 'node:module'

/** A module of Node that few runs need, such as `node:zlib`: each takes milliseconds to load. */
export const builtin = (name) => createRequire(import.meta.url)(name)
