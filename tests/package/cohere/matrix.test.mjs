// The client of Cohere in every case of the table.
import { test } from 'node:test'
import { CohereClientV2 } from 'cohere-ai'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { ways } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

const clientOf = (fetch) => new CohereClientV2({ token: 'none', fetch, maxRetries: 0 })

matrix(test, {
  adapter: 'cohere',
  all,
  play: (source) => clientOf(replayFetch(source)),
  record: (recorder, source) => ({ model: clientOf(recordFetch(recorder, { fetch: replayFetch(source) })) }),
  drift: (error) => error.body.divergence,
  // An error in a stream is only a text.
  failure: { type: 'api_error' },
  ended: 'MAX_TOKENS',
  ways,
})
