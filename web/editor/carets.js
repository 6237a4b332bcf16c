// The carets and selections besides the main one, which the browser draws itself.
import { Decoration, EditorView, WidgetType } from '@codemirror/view'

class Caret extends WidgetType {
  toDOM() {
    const made = document.createElement('span')
    made.className = 'cm-caret'
    return made
  }
}

const caret = Decoration.widget({ widget: new Caret(), side: 1 })
const selected = Decoration.mark({ class: 'cm-selected' })

export const carets = EditorView.decorations.compute(['selection'], ({ selection: { ranges, main } }) =>
  Decoration.set(
    ranges.filter((range) => range !== main).map(({ empty, from, to }) => (empty ? caret.range(from) : selected.range(from, to))),
  ),
)
