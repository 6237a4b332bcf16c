// Written by the tests from the Rust types.

/** Any value that JSON can hold. */
export type Json = number | string | boolean | Json[] | { [key: string]: Json } | null
