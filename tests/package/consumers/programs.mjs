// What every consumer does with the package, wherever it runs.
import { weather } from '../support/samples.mjs'

/** The body of a program: validates, replays, writes, and answers from a mock; `outcome` is the result. */
export const program = `
const text = ${JSON.stringify(weather)}
const found = validate(text.replace('tool:weather', 'tool:wether'))
const tape = await replay({ text })
let answer
for (let played; (played = tape.replayNext()) !== null;) answer = played.response.content
tape.assertComplete()
const model = mock('Hello!')
const { content } = await model.call({ format: 'canonical', messages: [{ role: 'user', content: 'Hi' }] })
const outcome = JSON.stringify({
  ok: validate(text).ok, code: found.diagnostics[0].code, answer, content, changed: format('messages: [ "user: Hi" ]\\n').changed,
})
`

export const names = 'format, mock, replay, validate'

/** What `outcome` is, as people know the sample. */
export const expected = (code) => ({ ok: true, code, answer: "It's 72°F and sunny!", content: 'Hello!', changed: true })

/** What a program does next to that with `replayFetch`: requests as the client of OpenAI does, streaming and not. */
export const fetchProgram = `
const fetched = await (async () => {
  const fetch = replayFetch(await replay({ text }))
  const sendRequest = async (messages, more = {}) => {
    const body = JSON.stringify({ model: 'm', messages, ...more })
    return fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  const messages = [{ role: 'system', content: 'You are helpful' }, { role: 'user', content: "What's the weather?" }]
  const { choices: [{ message }] } = await (await sendRequest(messages)).json()
  const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: JSON.stringify({ temp: 72, condition: 'sunny' }) }
  const streamed = await (await sendRequest([...messages, message, result], { stream: true })).text()
  const refused = await sendRequest(messages)
  fetch.lastDivergence
  return [message.tool_calls[0].function.name, streamed.includes('[DONE]'), refused.status]
})()
`

export const fetchNames = 'replayFetch'
export const fetchExpected = ['weather', true, 400]

/** What it does with a worker: the same answers, progress, a call that is cancelled, and the next. */
export const workerProgram = `
const worked = await (async () => {
  const pool = createWorkerPool()
  const phases = []
  const found = await pool.validate(new Blob([text]), { onProgress: ({ phase, done, total }) => phases.push(phase + done / total) })
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const unzipped = await pool.validate(await new Response(zipped).blob())
  const document = await pool.parse(text)
  const steps = (await document.steps()).length
  const enough = new AbortController()
  const onProgress = ({ phase }) => phase === 'working' && enough.abort(new Error('enough'))
  const abandoned = await pool.expand(text, { signal: enough.signal, onProgress }).catch((error) => error.message)
  const misuse = await pool.validate(5).catch((error) => [error instanceof TypeError, error.code])
  const formatted = (await pool.format('messages: [ "user: Hi" ]\\n')).changed
  const again = (await document.steps()).length
  await pool.close()
  const closed = await pool.validate(text).catch((error) => error.code)
  const same = JSON.stringify(found) === JSON.stringify(validate(text)) && JSON.stringify(unzipped) === JSON.stringify(validate(text))
  return { phases, same, steps, abandoned, misuse, formatted, again, closed }
})()
`

export const workerNames = 'createWorkerPool'
export const workerExpected = {
  phases: ['starting0', 'starting1', 'reading0', 'reading1', 'working0', 'working1'],
  same: true,
  steps: 4,
  abandoned: 'enough',
  misuse: [true, 'ERR_TRANSCRIPT_MISUSE'],
  formatted: true,
  again: 4,
  closed: 'ERR_TRANSCRIPT_WORKER_CLOSED',
}
