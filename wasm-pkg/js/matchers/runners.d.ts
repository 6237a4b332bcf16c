// The runners, as far as they are used: they are no dependencies of this folder.
declare module 'vitest' {
  export const expect: { extend(matchers: object): void }
}

declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
