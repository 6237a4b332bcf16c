// The client of Bedrock in every case of the table, by both of its APIs.
import { test } from 'node:test'
import { matrix } from '../support/matrix.mjs'
import { install, load } from '../support/tarball.mjs'
import { converseWith, offline } from './agent.mjs'

const all = await load(install(), 'transcript-workbench', 'transcript-workbench/fetch')
const { recordFetch, replayFetch } = all

/** A run of one way. */
const play =
  (way) =>
  async (client, { read, schema, ...more }) => {
    const { text, ended } = await converseWith(client, way, read, { schema, ...more })
    return { text, ended, object: schema ? JSON.parse(text) : undefined }
  }

const matrixOf = (adapter, api) =>
  matrix(test, {
    adapter,
    all,
    play: (source) => offline(replayFetch(source)),
    record: (recorder, source) => ({ model: offline(recordFetch(recorder, { fetch: replayFetch(source) })) }),
    drift: ({ divergence }) => divergence,
    ended: 'max_tokens',
    ways: { generate: play(api), stream: play(`streamed ${api}`) },
  })

matrixOf('bedrock converse', 'converse')
matrixOf('bedrock invoke', 'invoke')
