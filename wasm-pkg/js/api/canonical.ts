import type { CanonicalMessage, TapeRequest } from '../types/index.ts'
import { canonicalOf } from './core.ts'
import { misuse } from './misuse.ts'
import { kindOf } from './options.ts'
import { requestJson } from './request.ts'

/** The messages of a request of any framework in the form that all of them share. */
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
