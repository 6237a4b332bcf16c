// Databases of SQLite.

/** Whether bytes are an SQLite database. */
export const isDatabase = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 16)) === 'SQLite format 3\0'
