// What every consumer does with the package, wherever it runs.
import { weather } from '../support/samples.mjs'

/** The body of a program: validates, replays, writes, and answers from a mock; `said` is what came of it. */
export const program = `
const text = ${JSON.stringify(weather)}
const found = validate(text.replace('tool:weather', 'tool:wether'))
const tape = await replay({ text })
let answer
for (let played; (played = tape.rehearse()) !== null;) answer = played.response.content
tape.assertComplete()
const model = mock('Hello!')
const { content } = await model.call({ format: 'canonical', messages: [{ role: 'user', content: 'Hi' }] })
const said = JSON.stringify({
  ok: validate(text).ok, code: found.diagnostics[0].code, answer, content, changed: format('messages: [ "user: Hi" ]\\n').changed,
})
`

export const names = 'format, mock, replay, validate'

/** What `said` is, as people know the sample. */
export const expected = (code) => ({ ok: true, code, answer: "It's 72°F and sunny!", content: 'Hello!', changed: true })
