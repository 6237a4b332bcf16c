// What the core knows of the text: completions at a place, and what is there.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { StateEffect, StateField } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap, showTooltip } from '@codemirror/view'
import { markdown } from './markdown.js'
import { bytesBefore, fromBytes, unitsOf } from './byte_offsets.js'
import { WORDS } from './strings.js'

/** Longer texts are sent only when they are asked about, not at every letter. */
const LONG = 1_000_000

/** Asks the worker of the page; null when it did not come or another text has come since. */
export async function ask(emit, operation, view, options) {
  const { doc } = view.state
  try {
    const answer = JSON.parse(await emit('ask', [operation, doc.toString(), '', JSON.stringify(options)]))
    return view.state.doc === doc ? answer : null
  } catch {
    return null
  }
}

function optionOf(doc, at) {
  return ({ label, detail, documentation, text, caret, offset, endOffset }) => {
    const [start, end] = [at(offset), at(endOffset)]
    return {
      label,
      detail,
      info: documentation ? () => markdown(documentation) : undefined,
      apply(view, completion, from, to) {
        const [first, last] = view.state.doc === doc ? [start, end] : [from, to]
        view.dispatch({
          changes: { from: first, to: last, insert: text },
          selection: { anchor: first + unitsOf(text, caret) },
          scrollIntoView: true,
          userEvent: 'input.complete',
        })
      },
    }
  }
}

function completions(emit) {
  // One question at a time: letters come faster than answers, and only the last one counts.
  let running = null
  return async (context) => {
    const { explicit, pos, state, view } = context
    const { doc } = state
    // At letters, where an item begins, and where an assistant may call.
    if (!explicit && (doc.length > LONG || !context.matchBefore(/\w|^\s*-\s+["']|\bassistant:/))) return null
    context.addEventListener('abort', () => {}, { onDocChange: true })
    await running
    if (context.aborted) return null
    running = ask(emit, 'complete', view, { offset: bytesBefore(doc, pos) })
    const found = await running
    if (context.aborted || !found?.length) return null
    const at = fromBytes(
      doc,
      found.flatMap(({ offset, endOffset }) => [offset, endOffset]),
    )
    // The core has chosen and ordered them.
    return { from: Math.min(at(found[0].offset), pos), options: found.map(optionOf(doc, at)), filter: false }
  }
}

async function hoverInfo(emit, view, pos) {
  const { doc } = view.state
  const found = await ask(emit, 'hover', view, { offset: bytesBefore(doc, pos) })
  if (!found) return null
  const at = fromBytes(doc, [found.offset, found.endOffset])
  return { pos: at(found.offset), end: at(found.endOffset), above: true, create: () => ({ dom: markdown(found.text) }) }
}

const setHover = StateEffect.define()

/** What a key requested; the next move of the caret removes it. */
const hoverField = StateField.define({
  create: () => null,
  update(value, { docChanged, effects, selection }) {
    const kept = docChanged || selection ? null : value
    return effects.reduce((before, effect) => (effect.is(setHover) ? effect.value : before), kept)
  },
  provide: (field) => showTooltip.from(field),
})

function showHoverAtCaret(emit) {
  return (view) => {
    const { head } = view.state.selection.main
    hoverInfo(emit, view, head).then((tooltip) => {
      if (view.state.selection.main.head !== head) return
      const announcement = tooltip?.create().dom.textContent ?? WORDS.nothingKnown
      view.dispatch({ effects: [setHover.of(tooltip), EditorView.announce.of(announcement)] })
    })
    return true
  }
}

function dismiss(view) {
  if (!view.state.field(hoverField)) return false
  view.dispatch({ effects: setHover.of(null) })
  return true
}

export const authoring = (emit) => [
  autocompletion({ override: [completions(emit)], icons: false }),
  hoverTooltip((view, pos) => hoverInfo(emit, view, pos)),
  hoverField,
  keymap.of([...completionKeymap, { key: 'F1', run: showHoverAtCaret(emit) }, { key: 'Escape', run: dismiss }]),
]
