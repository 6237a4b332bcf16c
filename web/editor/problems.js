// The core's problems: lines below the text, marks next to it, and their details where the pointer rests.
import { linter, setDiagnostics } from '@codemirror/lint'
import { RangeSet, RangeValue, StateEffect, StateField } from '@codemirror/state'
import { GutterMarker, gutter } from '@codemirror/view'
import { icon } from './icons.js'
import { WORDS, fill } from './strings.js'

const GRAVITY = ['error', 'warning', 'info']

const element = (tag, className, ...children) => {
  const content = document.createElement(tag)
  content.className = className
  content.append(...children)
  return content
}

class First extends RangeValue {
  constructor(severity, index) {
    super()
    Object.assign(this, { severity, index })
  }

  eq(other) {
    return other.severity === this.severity && other.index === this.index
  }
}

class Mark extends GutterMarker {
  constructor(severity, index, line, emit) {
    super()
    Object.assign(this, { severity, index, line, emit })
  }

  eq(other) {
    return other.severity === this.severity && other.index === this.index && other.line === this.line
  }

  toDOM() {
    const label = fill(WORDS.mark[this.severity], { line: this.line })
    const button = element('button', `gutter-mark severity-${this.severity}`, icon(this.severity))
    Object.assign(button, { type: 'button', tabIndex: -1, title: label, ariaLabel: label })
    button.addEventListener('click', () => this.emit('problem', [this.index]))
    return button
  }
}

const setMarks = StateEffect.define()

/** The gravest problem of each line that has one. */
const firsts = StateField.define({
  create: () => RangeSet.empty,
  update(set, { changes, effects }) {
    const now = set.map(changes)
    return effects.reduce((before, effect) => (effect.is(setMarks) ? effect.value : before), now)
  },
})

function gutterOf(emit) {
  return gutter({
    class: 'cm-marks',
    lineMarker(view, block) {
      let found = null
      view.state.field(firsts).between(block.from, block.to, (_from, _to, value) => {
        if (!found || GRAVITY.indexOf(value.severity) < GRAVITY.indexOf(found.severity)) found = value
      })
      return found && new Mark(found.severity, found.index, view.state.doc.lineAt(block.from).number, emit)
    },
    lineMarkerChange: (update) => update.docChanged || update.startState.field(firsts) !== update.state.field(firsts),
  })
}

/** The view of a problem: its message, a link to the page of its code, and the related places. */
function problemView(view, { code, fixes, help, message, related, severity }, mend) {
  const link = element('a', 'cm-code', code)
  Object.assign(link, { href: `./docs/diagnostics/${code}.html`, target: '_blank', rel: 'noopener', title: fill(WORDS.explain, { code }) })
  const word = element('span', `cm-severity severity-${severity}`, icon(severity), WORDS.severity[severity])
  const content = element('div', 'cm-told', element('div', 'cm-told-head', word, ' ', message, ' ', link))
  if (help) content.append(element('div', 'cm-told-help', help))
  for (const place of related) {
    const button = element('button', 'cm-told-place', fill(WORDS.related, place))
    button.type = 'button'
    button.addEventListener('click', () => {
      const line = view.state.doc.line(Math.min(place.line, view.state.doc.lines))
      view.dispatch({ selection: { anchor: Math.min(line.from + place.column - 1, line.to) }, scrollIntoView: true })
      view.focus()
    })
    content.append(button)
  }
  fixes.slice(0, 3).forEach((title, fix) => {
    const button = element('button', 'cm-told-fix', fill(WORDS.fix, { title }))
    button.type = 'button'
    button.addEventListener('click', () => mend(fix))
    content.append(button)
  })
  return content
}

/**
 * Shows `problems`, which are of the very text of `view` and in the core's order. Each is a list: where it begins and ends,
 * how grave it is, and its words, which may still be on their way.
 */
export function showProblems(view, problems, emit) {
  const { doc } = view.state
  const marks = []
  const diagnostics = problems.map(([start, end, severity, words], index) => {
    const [from, to] = [Math.min(start, doc.length), Math.min(end, doc.length)]
    marks.push(new First(severity, index).range(doc.lineAt(from).from))
    return {
      from,
      to,
      severity,
      message: words?.message ?? WORDS.severity[severity],
      renderMessage:
        words &&
        ((shown) =>
          problemView(shown, words, (fix) => {
            // After a keystroke the numbers may mean other problems.
            if (shown.state.doc === doc) emit('fix', [index, fix])
          })),
    }
  })
  const spec = setDiagnostics(view.state, diagnostics)
  view.dispatch({ ...spec, effects: [spec.effects ?? [], setMarks.of(RangeSet.of(marks, true))].flat() })
}

export const problemMarks = (emit) => [firsts, gutterOf(emit), linter(null)]
