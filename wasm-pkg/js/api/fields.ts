/** A value of unknown origin, to look into: what is no object has none of the fields. */
export type Fields = { readonly [field: string]: unknown } | null | undefined
