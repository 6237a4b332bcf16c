// The client of Gemini in every case of the table.
import { test } from 'node:test'
import { GoogleGenAI } from '@google/genai'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { converse, errorOf, offline } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

const clientOf = (fetch) => offline(GoogleGenAI, fetch)

/** A run of one way. The API takes objects as results, so that any other result is the output of one. */
const play =
  (way) =>
  async (ai, { question, read, schema, plain, received = [] }) => {
    const config = schema ? { responseMimeType: 'application/json', responseJsonSchema: schema } : {}
    const tools = plain ? { tools: [] } : {}
    const result = (location) => ({ output: read(location) ?? null })
    const { text, last } = await converse(ai, way, result, { question, config, received, ...tools })
    return { text, ended: last.candidates[0].finishReason, object: schema ? JSON.parse(text) : undefined }
  }

matrix(test, {
  adapter: 'google genai',
  all,
  play: (source) => clientOf(replayFetch(source)),
  record: (recorder, source) => ({ model: clientOf(recordFetch(recorder, { fetch: replayFetch(source) })) }),
  drift: (error) => errorOf(error).divergence,
  ended: 'MAX_TOKENS',
  ways: { generate: play('generate'), stream: play('streamed chat') },
})
