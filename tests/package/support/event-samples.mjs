// The logs of events that the core's tests have.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './tarball.mjs'

const NAMES = [
  'bad_events.jsonl',
  'cycle.jsonl',
  'forest60.jsonl',
  'multi_agent.jsonl',
  'multi_agent.shuffled.jsonl',
  'nested_recording.json',
]

export const sample = (name) => readFileSync(join(repository, 'tests/events/samples', name), 'utf8')

/** The two orders of `forest60.jsonl`, as another program found them. */
export const oracle = JSON.parse(sample('forest60.expected_order.json'))

/** Writes all of them with `write`. */
export const writeSamples = (write) => {
  for (const name of NAMES) write(name, sample(name))
}
