// Ids: to the place that defines one, and another name for one everywhere.
import { isolateHistory } from '@codemirror/commands'
import { EditorView, keymap, showDialog } from '@codemirror/view'
import { ask } from './author.js'
import { fromBytes } from './byte_offsets.js'
import { WORDS, fill } from './strings.js'

const ID = /[\w.:#@/-]+/g

/** The id at `pos`, without the marks around it. */
function idAt(state, pos) {
  const line = state.doc.lineAt(pos)
  for (const { 0: word, index } of line.text.matchAll(ID)) {
    const from = line.from + index
    if (pos < from || pos > from + word.length) continue
    // `ref: a` without a space is no id, and an id in compact text follows a mark.
    const cut = word.slice(0, pos - from).search(/[:#](?!.*[:#])/) + 1
    return word.slice(cut).replace(/[:.#].*$/, '')
  }
  return ''
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Where the document says that something has this id. */
function definitionOf(text, id) {
  const defined = new RegExp(`(?:^|[\\s{,"'-])(?:id|["']id["'])\\s*:\\s*["']?(${escaped(id)})(?=["'\\s,}#]|$)`, 'md')
  const found = defined.exec(text)
  return found && found.indices[1]
}

const announce = (view, words) => view.dispatch({ effects: EditorView.announce.of(words) })

function goTo(view, pos) {
  const name = idAt(view.state, pos)
  const found = name && definitionOf(view.state.doc.toString(), name)
  if (found) {
    view.dispatch({
      selection: { anchor: found[0], head: found[1] },
      effects: EditorView.scrollIntoView(found[0], { y: 'center' }),
      userEvent: 'select.definition',
    })
  } else {
    announce(view, fill(WORDS.noDefinition, { name }))
  }
  return Boolean(found)
}

async function rename(emit, view) {
  const { doc, selection } = view.state
  const from = idAt(view.state, selection.main.head)
  if (!from || !definitionOf(doc.toString(), from)) return announce(view, WORDS.noName)
  const { result } = showDialog(view, {
    label: fill(WORDS.rename, { name: from }),
    input: { type: 'text', name: 'to', value: from, required: true, autocomplete: 'off', spellcheck: 'false' },
    submitLabel: WORDS.renameGo,
    focus: true,
    top: true,
    class: 'cm-rename',
  })
  const to = (await result)?.elements.namedItem('to').value.trim()
  view.focus()
  if (!to || to === from || view.state.doc !== doc) return
  const answer = await ask(emit, 'edit', view, { change: { rename_id: { from, to } } })
  if (!answer) return
  if (!answer.ok) {
    const { message = '', help } = answer.problem ?? {}
    showDialog(view, { label: [message, help].filter(Boolean).join('; '), top: true, class: 'cm-refused' })
    announce(view, message)
    return
  }
  const at = fromBytes(
    doc,
    answer.edits.flatMap(({ offset, endOffset }) => [offset, endOffset]),
  )
  view.dispatch({
    changes: answer.edits.map(({ offset, endOffset, text }) => ({ from: at(offset), to: at(endOffset), insert: text })),
    annotations: isolateHistory.of('full'),
    effects: EditorView.announce.of([WORDS.renamed, ...answer.notes].join(' ')),
    userEvent: 'input.rename',
  })
}

export const symbols = (emit) => [
  keymap.of([
    {
      key: 'F12',
      run(view) {
        goTo(view, view.state.selection.main.head)
        return true
      },
    },
    {
      key: 'F2',
      run(view) {
        rename(emit, view)
        return true
      },
    },
  ]),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false
      const pos = view.posAtCoords({ x: event.clientX, y: event.clientY })
      return pos !== null && goTo(view, pos)
    },
  }),
]
