// A long log of events: agents that take tasks, call a tool, change their state and answer, in an order of lines without sense.
import { createHash } from 'node:crypto'

const AGENTS = 40

/** Numbers that look random, the same each time. */
const numbers = (seed) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state ^ (state >>> 13)) >>> 0
  }
}

const hex = (number, digits) => number.toString(16).padStart(8, '0').slice(-digits)

const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The fields of the type at a place of the round of five that an agent makes. */
const report = (round, part) => {
  const call = `"tool_name": "lookup", "call_id": "call_${round}"`
  const content = `{"city": "City ${round % 97}", "units": "metric"}`
  const carried = `"payload_hash": "${hex(round, 8)}${hex(part, 8)}"`
  return [
    `"type": "task_received", "payload_ref": "task_${round}", ${carried}`,
    `"type": "state_transition", "from_state": "idle", "to_state": "working", ${carried}`,
    `"type": "tool_call", ${call}, "arguments": ${content}, "payload_hash": "${hash(content)}"`,
    `"type": "tool_return", ${call}, "success": true, "result": ${content}, "payload_hash": "${hash(content)}"`,
    `"type": "response_sent", "recipient_agent_id": "lead", "payload_ref": "answer_${round}", ${carried}`,
  ][part]
}

/** The lines of a log of `count` events. */
export const log = (count) => {
  const next = numbers(7)
  const ids = Array.from(
    { length: count },
    () => `${hex(next(), 8)}-${hex(next(), 4)}-4${hex(next(), 3)}-a${hex(next(), 3)}-${hex(next(), 8)}${hex(next(), 4)}`,
  )
  const lines = ids.map((id, at) => {
    const [round, part] = [Math.floor(at / 5), at % 5]
    // The first of a round follows from one of the rounds before it, the others from the one before.
    const back = part === 0 ? 5 * (1 + (next() % 80)) - 4 : 1
    const parent = at >= back ? `"${ids[at - back]}"` : 'null'
    return `{"event_id": "${id}", "agent_id": "agent-${round % AGENTS}", "timestamp_ns": ${1_700_000_000_000 + at}000001, "parent_event_id": ${parent}, ${report(round, part)}}\n`
  })
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const other = next() % (at + 1)
    ;[lines[at], lines[other]] = [lines[other], lines[at]]
  }
  return lines
}
