// The parts of code by its language: a script of its own, loaded with the first code that has one of these languages.
import { classHighlighter, highlightTree } from '@lezer/highlight'
import { parser as javascript } from '@lezer/javascript'
import { parser as json } from '@lezer/json'
import { parser as python } from '@lezer/python'

const PARSERS = { javascript: javascript.configure({ dialect: 'ts jsx' }), json, python }

/** The text in pieces: plain text, or an element with the classes of its kind. */
export function highlight(text, language) {
  const out = []
  let at = 0
  highlightTree(PARSERS[language].parse(text), classHighlighter, (from, to, classes) => {
    if (from > at) out.push(text.slice(at, from))
    const piece = document.createElement('span')
    piece.className = classes
    piece.textContent = text.slice(from, to)
    out.push(piece)
    at = to
  })
  out.push(text.slice(at))
  return out
}
