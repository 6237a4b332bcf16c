// Recorded failures of the model in the shape that the AI SDK knows failures by.

const MARKS = ['vercel.ai.error', 'vercel.ai.error.AI_APICallError']

/**
 * A recorded failure as an `APICallError`; any other error as it is.
 *
 * The SDK retries only such errors, and waits; so this one is retryable just where the recording shows a retry,
 * and asks for no waiting. A divergence is none of them, and is never retried.
 */
export const asRecorded = (error) => {
  if (error?.name !== 'RecordedModelError') return error
  for (const mark of MARKS) error[Symbol.for(mark)] = true
  return Object.assign(error, {
    url: 'transcript:recording',
    requestBodyValues: {},
    statusCode: typeof error.status === 'number' ? error.status : undefined,
    responseHeaders: { 'retry-after-ms': '0' },
    responseBody: JSON.stringify(error.error),
    isRetryable: error.retried,
  })
}
