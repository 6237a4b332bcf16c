// Makes the index that the search of the documentation reads: each section with its page, heading and text.

const LEVELS = ['h2', 'h3']

/** The text of an inline token, without its marks. */
export const textOf = (inline) =>
  inline.children.map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : /^(text|code_inline)$/.test(type) ? content : '')).join('')

/**
 * The sections of a page, as lists of anchor, heading and text; `tokens` are those of its Markdown. The first section is the
 * page before its first heading. `withBlocks` is true where the code blocks are searched too.
 */
export function sectionsOf(tokens, withBlocks) {
  const sections = [['', '', []]]
  let heading
  for (const token of tokens) {
    if (token.type === 'heading_open') heading = token
    else if (token.type === 'heading_close') heading = undefined
    else if (heading && LEVELS.includes(heading.tag) && token.type === 'inline') sections.push([heading.attrGet('id'), textOf(token), []])
    else if (token.type === 'inline' && heading?.tag !== 'h1') sections.at(-1)[2].push(textOf(token))
    else if (token.type === 'fence' && withBlocks) sections.at(-1)[2].push(token.content)
  }
  const full = sections.map(([anchor, heading, texts]) => [anchor, heading, texts.join(' ').replace(/\s+/g, ' ').trim()])
  return full.filter(([anchor, , text]) => anchor === '' || text !== '')
}

/**
 * The index of pages, each with its `file`, `title`, `tokens` and `isDiagnostic`, and with its `label` in the list of all pages.
 * A page of a diagnostic is one section without its examples.
 */
export function searchIndex(pages) {
  return {
    pages: pages.map(({ file, title, label }) => [file, title, label]),
    sections: pages.flatMap(({ tokens, isDiagnostic }, at) => sectionsOf(tokens, !isDiagnostic).map((section) => [at, ...section])),
  }
}
