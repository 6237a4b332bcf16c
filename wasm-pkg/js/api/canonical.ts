import type { CanonicalMessage, TapeRequest } from '../types/index.ts'
import { canonicalOf } from './core.ts'
import { misuse } from './misuse.ts'
import { kindOf } from './options.ts'
import { requestJson } from './request.ts'

/**
 * The messages of a request in the form that all frameworks share: what a strict replay compares.
 *
 * @param request The body of a request, with its `format`.
 * @returns The messages, oldest first.
 * @throws {TypeError} when it is no request in its format.
 * @example
 * canonicalMessages({ format: 'anthropic', system: 'Be brief', messages: [{ role: 'user', content: 'Hi' }] })
 * // [{ role: 'system', content: 'Be brief' }, { role: 'user', content: 'Hi' }]
 */
export const canonicalMessages = (request: TapeRequest): CanonicalMessage[] => {
  if (typeof request?.format !== 'string') {
    throw misuse(`canonicalMessages() takes a request with its \`format\`, such as \`openai-chat\`, but got ${kindOf(request)}`)
  }
  try {
    return canonicalOf(requestJson(request))
  } catch (error) {
    throw error instanceof TypeError ? error : misuse(`canonicalMessages() cannot read the request: ${(error as Error).message}`)
  }
}
