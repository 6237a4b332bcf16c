// A recording that gets the content of a newer run, and keeps its comments, its name and its assertions.
import { type DiffChange, compact, diff, expand, parse } from 'transcript-workbench'
import { EditRefused, applyChanges, messageEdits, turnEdits } from './apply-edits.ts'
import type { Item, ItemPair, StoredMessage, Transcript, Turn } from './document.ts'

/** Differences that do not count: a run does not have them, or has other values each time. */
const IGNORED_PATHS = [
  'timestamps',
  'usage',
  'ulids',
  'ids',
  'metadata',
  'agent_config',
  'execution.*.llm_config',
  'execution.*.tool_call.execution_time_ms',
  'final_state.assertions',
]

/** The paths that belong to a run: other keys of a document are its author's. */
const RUN_PATHS = /^(initial_state|execution|final_state)\b/

const isNothing = (value: unknown) => value === undefined || value === null || value === ''

/** The compact form cannot distinguish an answer without text from one with an empty text. */
const isNoise = ({ path, left, right }: DiffChange) => /\.llm_response\.content$/.test(path) && isNothing(left) && isNothing(right)

/** Details of an answer that a compact recording need not have, so they are not added to it. */
const isAddedDetail = ({ path, left }: DiffChange) =>
  isNothing(left) && /\.llm_response\.(finish_reason|model|id|chunks|metadata)$/.test(path)

/** Paths that plain data does not have. */
const MISSING_IN_PLAIN_DATA = ['finish_reason', 'model', 'id', 'reasoning', 'citations', 'annotations', 'chunks', 'parsed', 'metadata'].map(
  (key) => `execution.*.llm_response.${key}`,
)

/** Whether a step ran another agent; plain data has only its answer. */
const hasNestedRun = ({ tool_call: call }: Turn) =>
  typeof call?.result === 'object' &&
  call.result !== null &&
  ['nested_transcript', 'nested_transcript_ref'].some((key) => Object.hasOwn(call.result as object, key))

const documentForm = (text: string) => {
  const document = parse(text)
  const { form } = document.overview
  document.free()
  return form
}

const differences = (left: string, right: string, isWhole: boolean) => {
  const { changes } = diff(left, right, { ignore: isWhole ? IGNORED_PATHS : [...IGNORED_PATHS, ...MISSING_IN_PLAIN_DATA] })
  const turns = isWhole ? [] : ((expand(left, { format: 'object' }).transcript as Transcript | null)?.execution ?? [])
  const isInner = ({ path }: DiffChange) => {
    // A list takes the text of a number.
    const [, at] = (/^execution\[(\d+)\]\.(?:tool_call\.result|message_created\.tool_response)/.exec(path) ?? []) as [unknown?, number?]
    return at !== undefined && turns[at] !== undefined && hasNestedRun(turns[at]!)
  }
  const isCompact = documentForm(left) === 'compact'
  return changes.filter((one) => RUN_PATHS.test(one.path) && !isNoise(one) && !isInner(one) && !(isCompact && isAddedDetail(one)))
}

/** Differences that follow from the text of a message. */
const TEXT_PATHS = /^(llm_response\.content|message_created\.(content|tool_response\.response.*)|tool_call\.result.*|content)$/

/** What differs among the items of one list: those only in the old one, those only in the new one, and paths in pairs. */
const changedItems = (changes: readonly DiffChange[], list: string) => {
  const removed = new Set<number>()
  const added = new Set<number>()
  const changed = new Map<number, string[]>()
  for (const { path, kind } of changes) {
    const [, where, index, rest] = /^(initial_state\.message_store|execution)\[(\d+)\]\.?(.*)$/.exec(path) ?? []
    if (where !== list) continue
    const at = Number(index)
    if (rest === '' && kind === 'removed') removed.add(at)
    else if (rest === '' && kind === 'added') added.add(at)
    else changed.set(at, [...(changed.get(at) ?? []), rest!])
  }
  return { removed, added, changed }
}

/** The items of both lists, paired, in the order of the new one. */
const pairItems = (changes: readonly DiffChange[], list: string, left: readonly Item[], right: readonly Item[]) => {
  const { removed, added, changed } = changedItems(changes, list)
  const all: ItemPair[] = []
  let from = 0
  const drop = () => {
    while (from < left.length && removed.has(from)) all.push({ left: left[from++]!, isText: false })
  }
  for (const [to, item] of right.entries()) {
    drop()
    if (added.has(to)) {
      all.push({ right: item, isText: false })
      continue
    }
    const paths = changed.get(from) ?? []
    all.push({ left: left[from]!, right: item, isSame: paths.length === 0, isText: paths.every((path) => TEXT_PATHS.test(path)) })
    from += 1
  }
  drop()
  return all
}

/** The messages of a document: those of its store at first, then that of each turn. */
const itemsOf = (text: string): { initial: Item[]; turns: Item[] } => {
  const { transcript } = expand(text, { format: 'object' }) as { transcript: Transcript }
  const stored = transcript.initial_state?.message_store ?? []
  const turns = transcript.execution ?? []
  return {
    initial: stored.map((message) => ({ message })),
    turns: turns.map((turn, at) => ({ message: turn.message_created ?? ({} as StoredMessage), turn, step: at + 1 })),
  }
}

/** The reason of a refusal with its line in `text`, which edits before it may have changed. */
const refusalText = ({ message, line }: EditRefused, text: string) => {
  const at = text.split(/\r?\n/).indexOf(line!)
  return `${at >= 0 && line!.trim() !== '' ? `line ${at + 1}, \`${line!.trim()}\`: ` : ''}${message}`
}

/** The old text with the smallest edits. */
const applySmallEdits = (text: string, newer: string, isWhole: boolean) => {
  const changes = differences(text, newer, isWhole)
  const [before, after] = [itemsOf(text), itemsOf(newer)]
  const initial = pairItems(changes, 'initial_state.message_store', before.initial, after.initial)
  const turnPairs = pairItems(changes, 'execution', before.turns, after.turns)
  const isList = documentForm(text) === 'compact'
  const next = applyChanges(text, turnPairs, isList ? messageEdits(before.initial.length) : turnEdits)
  return applyChanges(next, initial, messageEdits(0))
}

/** The comments above the first line of a document. */
const leadingComments = (text: string) => /^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(text)![0]

/** Whether a document has more than its data: comments, anchors. Quoted text may match, too. */
const hasCommentsOrAnchors = (text: string) => /(^|\s)[#&*]\S|(^|\s)#/m.test(text.slice(leadingComments(text).length))

/** The newer run in the form of the old text, with the fields of the old one that do not belong to the run. */
const rewriteText = (text: string, newer: string) => {
  const { transcript: old } = expand(text, { format: 'object' }) as { transcript: Transcript }
  const { transcript: run } = expand(newer, { format: 'object' }) as { transcript: Transcript }
  const { assertions } = old.final_state ?? {}
  const whole = {
    ...old,
    agent_config: { ...old.agent_config, ...run.agent_config },
    initial_state: run.initial_state,
    execution: run.execution,
    final_state: { ...run.final_state, ...(assertions && { assertions }) },
  }
  const source = JSON.stringify(whole)
  const short = documentForm(text) === 'compact' ? compact(source).text : null
  return leadingComments(text) + (short ?? expand(source, { format: 'yaml' }).text)
}

const HELP = 'delete the file, and the next run writes a new one'

/** The new text, or why there is none. */
type Rewritten = { text: string; problem?: undefined } | { text: null; problem: string }

/**
 * The text of a recording, changed to the run in `newer`; what did not change stays, byte for byte.
 * `text` is null, with the `problem`, where that cannot be done without a loss: where no small edits can make it, and the
 * recording has comments, or the run (unless it `isWhole`) does not know all that a recording does.
 */
export const rewrite = (text: string, newer: string, isWhole: boolean): Rewritten => {
  const document = parse(text)
  const { readable, ok } = document
  document.free()
  if (!readable || !ok) return { text: null, problem: 'it has errors: fix them, or delete the file' }
  let reason: string
  let help = HELP
  try {
    const next = applySmallEdits(text, newer, isWhole)
    const [rest] = differences(next, newer, isWhole)
    if (rest === undefined) return { text: next }
    reason = `\`${rest.path}\` would still differ`
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error
    reason = refusalText(error, text)
    if (error.help) help = `${error.help}; or ${HELP}`
  }
  const refuse = (loss: string): Rewritten => ({
    text: null,
    problem: `small edits cannot make the change, and ${loss}\n  ${reason}\n  help: ${help}`,
  })
  if (hasCommentsOrAnchors(text)) return refuse('a new file would lose its comments and anchors')
  if (!isWhole) return refuse('the run has less data than the recording')
  return { text: rewriteText(text, newer) }
}
