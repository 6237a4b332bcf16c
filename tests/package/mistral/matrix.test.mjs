// The client of Mistral in every case of the table.
import { test } from 'node:test'
import { Mistral } from '@mistralai/mistralai'
import { HTTPClient } from '@mistralai/mistralai/lib/http.js'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { errorOf, ways } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

const clientOf = (fetch) => new Mistral({ apiKey: 'none', httpClient: new HTTPClient({ fetcher: fetch }) })

matrix(test, {
  adapter: 'mistral',
  all,
  play: (source) => clientOf(replayFetch(source)),
  record: (recorder, source) => ({ model: clientOf(recordFetch(recorder, { fetch: replayFetch(source) })) }),
  drift: (error) => errorOf(error).divergence,
  // The client knows no event of a stream with an error.
  failure: { message: /invalid_type/ },
  ended: 'length',
  ways,
})
