// Importing this teaches the `expect` of Vitest the matchers.
import { expect } from 'vitest'
import { matchers } from './index.ts'

expect.extend(matchers)

export { matchers }
