import type { MockFailureError, RecordedModelError } from '../api/errors.ts'
// Recorded failures of the model in the shape that the AI SDK knows failures by.

/** A failure of the model. The symbols are marks of the SDK. */
type ModelFailure = (MockFailureError | RecordedModelError) & { [mark: symbol]: true }

/** What a call of the model throws. */
export type ThrownError = ModelFailure | { name?: undefined; isRetryable?: undefined }

const MARKS = ['vercel.ai.error', 'vercel.ai.error.AI_APICallError']

/** Whether a client may retry after this status. */
const isRetryable = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

/**
 * A recorded failure, or one that a handler makes on purpose, as an `APICallError`; any other error as it
 * is.
 *
 * The SDK retries only such errors, and waits; so a recorded one is retryable only if the recording shows a retry,
 * one of a handler by its status, and neither requires waiting. A divergence is neither, and is never retried.
 */
export const asApiCallError = (error: ThrownError) => {
  const isFailure = error?.name === 'MockFailureError'
  if (error?.name !== 'RecordedModelError' && !isFailure) return error
  for (const mark of MARKS) error[Symbol.for(mark)] = true
  return Object.assign(error, {
    url: isFailure ? 'transcript:mock' : 'transcript:recording',
    requestBodyValues: {},
    statusCode: typeof error.status === 'number' ? error.status : undefined,
    responseHeaders: { 'retry-after-ms': '0' },
    responseBody: JSON.stringify(error.error),
    isRetryable: isFailure ? isRetryable(error.status!) : error.retried,
  })
}
