// The editor of the source, which takes the place of the page's text area once it is loaded.
//
// The page knows it by what `open` returns and hears of it through `emit`, a function of a word and a list:
//   'typed' [TEXT]            the text is another
//   'moved' []                a person put the caret somewhere
//   'problem' [N]             the mark of that problem was pressed
//   'fix' [N, M]              that fix of that problem was chosen
//   'ask' [OPERATION, ...]    asks the worker that writes; the answer is a promise of JSON
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, simplifySelection, undo } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, ViewPlugin, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { authoring } from './author.js'
import { bands, setBand } from './band.js'
import { carets } from './carets.js'
import { flashed, flashes } from './flash.js'
import { newLines } from './lines.js'
import { editorTheme } from './theme.js'
import { problemMarks, showProblems } from './problems.js'
import { roles } from './roles.js'
import { constructSheets } from './sheets.js'
import { symbols } from './symbols.js'
import { PHRASES, WORDS } from './strings.js'

constructSheets()

const ID = 'source-field'
const KEYS = 'source-keys'
const LINE_HEIGHT = 20

// The page has other uses for these.
const TAKEN = new Set(['Mod-Enter', 'F8'])
const free = (bindings) => bindings.filter(({ key }) => !TAKEN.has(key))

const language = new Compartment()
const lock = new Compartment()
/** Nothing changes the text, not even commands. */
const LOCKED = [
  EditorState.readOnly.of(true),
  EditorState.changeFilter.of(() => false),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
]

/** JSON begins with a bracket; YAML that does reads as JSON does. */
const isJson = (doc) => /^\s*[{[]/.test(doc.sliceString(0, 200))
// Logs have long lines of many small parts; each part in colour is an element of the page.
const PLAIN = 2_000_000
// A part of a line is read at once: one of five million characters held the page for a third of a second.
const LONG = 200_000
const hasLongLine = (doc) => {
  for (const line of doc.iterLines()) if (line.length > LONG) return true
  return false
}
const languageOf = (doc) => {
  if (hasLongLine(doc)) return isJson(doc) ? [] : [newLines]
  if (!isJson(doc)) return [yaml(), newLines]
  return doc.length < PLAIN ? json() : []
}

/** Escape leaves one caret of several; else it lets go of Tab until something else is done, however long a person takes. */
const release = {
  key: 'Escape',
  run(view) {
    const { length } = view.state.selection.ranges
    simplifySelection(view)
    if (length > 1) return true
    view.setTabFocusMode(true)
    view.dispatch({ effects: EditorView.announce.of(WORDS.released) })
    return true
  },
}

/**
 * Writes what is typed over a selection. A browser would keep the colour of what it takes away by an inline style, which the
 * policy of the page blocks and the console tells of.
 */
function replaced(event, view) {
  const { ranges, main } = view.state.selection
  const { inputType, data, isComposing, cancelable } = event
  if (inputType !== 'insertText' || !data || isComposing || !cancelable || view.state.readOnly) return false
  if (ranges.length > 1) {
    view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' })
    return true
  }
  const { from, to } = main.empty ? aimed(event, view) : main
  if (from === to) return false
  const insert = () =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
  const taken = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, data, insert))
  if (!taken) view.dispatch(insert())
  return true
}

/** What an input is about to write over: the editor hears of a selection only after the browser. */
function aimed(event, view) {
  const [range] = event.getTargetRanges()
  if (!range || !view.contentDOM.contains(range.startContainer)) return { from: 0, to: 0 }
  return { from: view.posAtDOM(range.startContainer, range.startOffset), to: view.posAtDOM(range.endContainer, range.endOffset) }
}

/** Types over the quote that ends the line, which a completion has written: who types the end of a text writes it once. */
function overQuote(view, from, to, typed) {
  const { doc, readOnly } = view.state
  if (readOnly || from !== to || !/^["']$/.test(typed)) return false
  const line = doc.lineAt(from)
  const [before, after] = [doc.sliceString(line.from, from), doc.sliceString(from, line.to)]
  const opened = before.split(typed).length % 2 === 0
  if (!opened || !after.startsWith(typed) || /[^\s,\]}]/.test(after.slice(1))) return false
  view.dispatch({ selection: { anchor: from + 1 }, scrollIntoView: true, userEvent: 'select' })
  return true
}

function marker(open) {
  const made = document.createElement('span')
  made.textContent = open ? '▾' : '▸'
  return made
}

/** Screen readers must find the marks next to the text, which are buttons, not the numbers. */
const audibleMarks = ViewPlugin.define(({ dom }) => {
  dom.querySelector('.cm-gutters').removeAttribute('aria-hidden')
  for (const dull of dom.querySelectorAll('.cm-lineNumbers, .cm-foldGutter')) dull.setAttribute('aria-hidden', 'true')
  return {}
})

/** Gives the text of a document, which is put together once however often it is asked for. */
function texts() {
  let last = null
  return (doc) => {
    if (last?.doc !== doc) last = { doc, text: doc.toString() }
    return last.text
  }
}

/** Has the height of lines measured at once; scrolling by a guess of it would end elsewhere. */
const measure = (view) => view.coordsAtPos(0)

/** The one change that makes `after` of `before`. */
function between(before, after) {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let same = 0
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}

/** Lets the editor be asked as the text area was. */
function asArea(view, textOf) {
  const { contentDOM } = view
  const main = () => view.state.selection.main
  Object.defineProperties(contentDOM, {
    value: { get: () => textOf(view.state.doc) },
    selectionStart: { get: () => main().from },
    selectionEnd: { get: () => main().to },
    setSelectionRange: { value: (anchor, head) => view.dispatch({ selection: { anchor, head }, scrollIntoView: true }) },
  })
}

/** Puts the editor into the place of `area`; its text was `before` when it was opened. */
export function open(area, before, emit) {
  const frame = area.closest('.editor')
  const textOf = texts()
  const typed = (view) => emit('typed', [textOf(view.state.doc)])
  const moved = () => {
    emit('moved', [])
    return false
  }

  const extensions = [
    symbols(emit),
    authoring(emit),
    keymap.of([
      ...free(searchKeymap),
      release,
      ...free(defaultKeymap),
      ...historyKeymap,
      { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      ...foldKeymap,
      indentWithTab,
    ]),
    problemMarks(emit),
    lineNumbers(),
    foldGutter({ markerDOM: marker }),
    Prec.lowest(audibleMarks),
    codeFolding(),
    history(),
    search({ top: true }),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    bracketMatching(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorState.allowMultipleSelections.of(true),
    EditorView.clickAddsSelectionRange.of(({ altKey }) => altKey),
    carets,
    EditorState.phrases.of(PHRASES),
    bands,
    flashes,
    roles,
    editorTheme,
    placeholder(area.placeholder),
    EditorView.inputHandler.of(overQuote),
    EditorView.contentAttributes.of({
      id: ID,
      'aria-label': area.getAttribute('aria-label'),
      'aria-describedby': KEYS,
      tabindex: '0',
      spellcheck: 'false',
    }),
    EditorView.domEventHandlers({
      click: moved,
      keyup: ({ key }) => (/^Arrow(Up|Down)$|^Page|^Home$|^End$/.test(key) ? moved() : false),
      // Files are opened by the page, not written into the text.
      drop: (event) => event.dataTransfer?.types.includes('Files') ?? false,
      blur: (event, view) => view.setTabFocusMode(false),
      beforeinput: replaced,
    }),
    EditorView.updateListener.of((update) => {
      const { state, startState, view } = update
      if (update.docChanged || update.selectionSet) view.setTabFocusMode(false)
      if (!update.docChanged) return
      if (isJson(state.doc) !== isJson(startState.doc)) view.dispatch({ effects: language.reconfigure(languageOf(state.doc)) })
      if (opened) typed(view)
    }),
  ]
  let opened = false
  let locked = false
  const stateOf = (text, selection) => {
    const state = EditorState.create({ doc: text, selection })
    return EditorState.create({
      doc: state.doc,
      selection,
      extensions: [language.of(languageOf(state.doc)), lock.of(locked ? LOCKED : []), extensions],
    })
  }

  const text = area.value
  const selection = { anchor: area.selectionStart, head: area.selectionEnd }
  const view = new EditorView({ state: stateOf(before === text ? text : before, before === text ? selection : undefined) })
  if (before !== text) {
    // What was typed into the area is one step back to the text as it was opened.
    view.dispatch({ changes: between(before, text), selection, annotations: isolateHistory.of('full') })
  }
  opened = true
  asArea(view, textOf)

  const keys = document.createElement('p')
  Object.assign(keys, { id: KEYS, hidden: true, textContent: WORDS.keys })
  const focused = document.activeElement === area
  const [top, left] = [area.scrollTop, area.scrollLeft]
  area.removeAttribute('id')
  frame.append(keys, view.dom)
  frame.classList.add('is-rich')
  area.value = ''
  measure(view)
  view.scrollDOM.scrollTop = top
  view.scrollDOM.scrollLeft = left
  if (focused) view.focus()

  const clamp = (at) => Math.min(Math.max(at, 0), view.state.doc.length)
  return {
    value: () => textOf(view.state.doc),
    caret: () => view.state.selection.main.to,
    load(next, caret) {
      // Without a caret, it and what is in sight stay.
      const stays = Number.isNaN(caret)
      const { scrollTop, scrollLeft } = view.scrollDOM
      const at = Math.min(stays ? view.state.selection.main.to : caret, next.length)
      view.setState(stateOf(next, { anchor: at, head: at }))
      measure(view)
      view.scrollDOM.scrollTo(stays ? scrollLeft : 0, stays ? scrollTop : 0)
    },
    select(start, end) {
      view.dispatch({ selection: { anchor: clamp(start), head: clamp(end) } })
      view.focus()
      return view.hasFocus
    },
    typeOver(start, end, insert) {
      const [from, to] = [clamp(start), clamp(end)]
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        annotations: isolateHistory.of('full'),
        scrollIntoView: true,
        userEvent: 'input.fix',
      })
      view.focus()
    },
    put(start, end, insert) {
      const changes = { from: clamp(start), to: clamp(end), insert }
      view.dispatch({ changes, effects: flashed(changes), annotations: isolateHistory.of('full'), userEvent: 'input.put' })
    },
    undo: () => undo(view),
    redo: () => redo(view),
    reveal(first, last) {
      const { doc } = view.state
      const place = (line) => view.lineBlockAt(doc.line(Math.min(line + 1, doc.lines)).from)
      const { clientHeight: height, scrollTop } = view.scrollDOM
      const padding = view.documentPadding.top
      const [start, end] = [place(first).top + padding, place(last).bottom + padding]
      const whole = end - start <= height
      if (start < scrollTop || (whole && end > scrollTop + height) || start > scrollTop + height - LINE_HEIGHT * 2) {
        view.scrollDOM.scrollTop = start - (whole ? (height - (end - start)) / 3 : LINE_HEIGHT)
      }
    },
    revealCaret() {
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main, { x: 'nearest', y: 'nearest', xMargin: 80 }) })
    },
    showProblems: (problems) => showProblems(view, JSON.parse(problems), emit),
    lock(wanted) {
      if (wanted === locked) return
      locked = wanted
      view.dispatch({ effects: lock.reconfigure(locked ? LOCKED : []) })
    },
    band: (first, last) => view.dispatch({ effects: setBand.of([first, last]) }),
  }
}
