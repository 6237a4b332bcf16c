// Highlights the lines that the page has written for a person for a moment.
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'

/** How long, in milliseconds. */
const MOMENT = 1600
/** In a text that is rewritten as a whole, nothing is highlighted. */
const MOST = 60

const set = StateEffect.define({ map: ({ from, to }, changes) => ({ from: changes.mapPos(from), to: changes.mapPos(to) }) })
const end = StateEffect.define()

const mark = Decoration.line({ class: 'cm-flash' })

function linesOf(doc, { from, to }) {
  const [first, last] = [from, to].map((at) => doc.lineAt(Math.min(at, doc.length)).number)
  if (last - first > MOST) return Decoration.none
  const lines = Array.from({ length: last - first + 1 }, (_, at) => mark.range(doc.line(first + at).from))
  return Decoration.set(lines)
}

const field = StateField.define({
  create: () => Decoration.none,
  update(value, { changes, effects, newDoc }) {
    const kept = effects.some((effect) => effect.is(end)) ? Decoration.none : value.map(changes)
    return effects.reduce((before, effect) => (effect.is(set) ? linesOf(newDoc, effect.value) : before), kept)
  },
  provide: (known) => EditorView.decorations.from(known),
})

const clock = ViewPlugin.define((view) => {
  let timer = 0
  return {
    update({ transactions }) {
      if (!transactions.some(({ effects }) => effects.some((effect) => effect.is(set)))) return
      clearTimeout(timer)
      timer = setTimeout(() => view.dispatch({ effects: end.of(null) }), MOMENT)
    },
    destroy: () => clearTimeout(timer),
  }
})

/** The effect that goes with a change. */
export const flashed = ({ from, insert }) => set.of({ from, to: from + insert.length - (insert.endsWith('\n') ? 1 : 0) })

export const flashes = [field, clock]
