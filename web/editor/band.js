// The lines of the selected step.
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, ViewPlugin } from '@codemirror/view'

/** Sets the first and the last line, from 1; zeros mean none. */
export const setBand = StateEffect.define()

const band = StateField.define({
  create: () => null,
  update(value, { changes, docChanged, effects, newDoc }) {
    let now = value
    if (now && docChanged) now = { from: changes.mapPos(now.from, 1), to: changes.mapPos(now.to, -1) }
    for (const effect of effects) {
      if (!effect.is(setBand)) continue
      const [first, last] = effect.value
      const line = (number) => newDoc.line(Math.min(Math.max(number, 1), newDoc.lines))
      now = first > 0 ? { from: line(first).from, to: line(last).to } : null
    }
    return now && now.to >= now.from ? now : null
  },
})

const mark = Decoration.line({ class: 'cm-band' })

function inSight(view) {
  const lines = view.state.field(band)
  const found = []
  if (!lines) return Decoration.none
  for (const { from, to } of view.visibleRanges) {
    const end = Math.min(to, lines.to)
    for (let at = Math.max(from, lines.from); at <= end; ) {
      const line = view.state.doc.lineAt(at)
      if (!found.length || found.at(-1).from < line.from) found.push(mark.range(line.from))
      at = line.to + 1
    }
  }
  return Decoration.set(found)
}

const shown = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = inSight(view)
    }

    update(update) {
      const moved = update.startState.field(band) !== update.state.field(band)
      if (moved || update.docChanged || update.viewportChanged) this.decorations = inSight(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

export const bands = [band, shown]
