// Runs that every framework records, and that every framework replays.
//
// The recordings are in `recorded`, one of each framework and run, so that each framework replays those of all.
// `UPDATE=1` writes what was recorded; a person reads the difference.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'recorded')

/** Who records. */
export const FRAMEWORKS = ['ai-sdk', 'mastra', 'openai-agents', 'langchain', 'langgraph']

const temps = { Oslo: 5, Rome: 25 }

/** The runs: the prompt, what the live model says, what the tool does, and the last answer. */
export const RUNS = {
  parallel: {
    question: 'Where is it warmer?',
    live: (mock) =>
      mock(
        mock.create({
          content: 'I look at both.',
          tool_calls: [
            { id: 'call_a', name: 'weather', arguments: { location: 'Oslo' } },
            { id: 'call_b', name: 'weather', arguments: { location: 'Rome' } },
          ],
        }),
        'In Rome.',
      ),
    read: (location) => ({ temp: temps[location] }),
    answer: 'In Rome.',
  },
  failing: {
    question: "What's the weather?",
    live: (mock) => mock(mock.toolCall('weather', { location: 'NYC' }, { id: 'call_a' }), 'I cannot tell.'),
    read: () => {
      throw new Error('the station is down')
    },
    answer: 'I cannot tell.',
  },
}

/** A stored recording. */
export const storedRecording = (framework, run) => {
  const file = `${framework}-${run}.yaml`
  return { text: readFileSync(join(folder, file), 'utf8'), file }
}

/** Compares a recording with the stored one. */
export const compareWithStored = (framework, run, recorder) => {
  assert.deepEqual(recorder.problems, [])
  const { text } = recorder.finish()
  if (process.env.UPDATE === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${framework}-${run}.yaml`), text)
  }
  assert.equal(text, storedRecording(framework, run).text)
}
