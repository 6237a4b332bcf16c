import { basename } from 'node:path'

/** The name of a transcript in a file, which is that of the file without its ending. */
export const nameOf = (file: string | URL) => basename(String(file)).replace(/(\.(ya?ml|json))?(\.gz)?$/i, '')
