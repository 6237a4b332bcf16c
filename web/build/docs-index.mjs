// Makes the index that the search of the documentation reads: each section with its page, heading and text.

const LEVELS = ['h2', 'h3']

/** The text of an inline token, without its marks. */
export const textOf = (inline) =>
  inline.children
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : /^(text|code_inline)$/.test(type) ? content : ''))
    .join('')

/** A member or a parameter in the API reference, with its name. */
const MEMBER = /^(?:readonly )?([\w$]+)[?:(<]/

/** The text of an inline token of the API reference: the names of members, and nothing of lists of links and labels. */
function referenceText(inline) {
  const [first] = inline.children.filter(({ type, content }) => type !== 'text' || content !== '')
  const isInList = inline.level > 1
  if (isInList) return first.type === 'code_inline' ? (MEMBER.exec(first.content)?.[1] ?? '') : ''
  const text = textOf(inline)
  return first.type === 'link_open' || text === 'Parameters' || text === 'Example' ? '' : text
}

/**
 * The sections of a page, as lists of anchor, heading and text; `tokens` are those of its Markdown. The first section is the
 * page before its first heading. The code blocks of guides are searched too.
 */
export function sectionsOf({ tokens, isDiagnostic, isReference }) {
  const textIn = isReference ? referenceText : textOf
  const sections = [['', '', []]]
  let heading
  for (const token of tokens) {
    if (token.type === 'heading_open') heading = token
    else if (token.type === 'heading_close') heading = undefined
    else if (heading && LEVELS.includes(heading.tag) && token.type === 'inline') sections.push([heading.attrGet('id'), textOf(token), []])
    else if (token.type === 'inline' && heading?.tag !== 'h1') sections.at(-1)[2].push(textIn(token))
    else if (token.type === 'fence' && !isDiagnostic && !isReference) sections.at(-1)[2].push(token.content)
  }
  const full = sections.map(([anchor, heading, texts]) => [anchor, heading, texts.join(' ').replace(/\s+/g, ' ').trim()])
  return full.filter(([anchor, , text]) => anchor === '' || text !== '')
}

/**
 * The index of pages, each with its `file`, `title`, `tokens`, `isDiagnostic` and `isReference`, and with its `label` in the list
 * of all pages. A page of a diagnostic is one section without its examples.
 */
export function searchIndex(pages) {
  return {
    pages: pages.map(({ file, title, label }) => [file, title, label]),
    sections: pages.flatMap((page, at) => sectionsOf(page).map((section) => [at, ...section])),
  }
}
