/** A value of unknown origin: without fields if it is no object. */
export type Fields = { readonly [field: string]: unknown } | null | undefined
