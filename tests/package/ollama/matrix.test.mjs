// The client of Ollama in every case of the table.
import { test } from 'node:test'
import { Ollama } from 'ollama'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { ways } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

let last
const play = (source) => {
  last = replayFetch(source)
  return new Ollama({ fetch: last })
}

matrix(test, {
  adapter: 'ollama',
  all,
  play,
  record: (recorder, source) => ({ model: new Ollama({ fetch: recordFetch(recorder, { fetch: replayFetch(source) }) }) }),
  // An error of the API is only a text.
  drift: () => last.lastDivergence,
  failure: { type: 'api_error' },
  ended: 'length',
  ways,
})
