// The core's short texts in Markdown, as elements: paragraphs, lists, code and emphasis. Nothing in them becomes HTML.

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)/g

const element = (tag, ...children) => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}

function* inline(text) {
  let at = 0
  for (const { 0: whole, 1: code, 2: strong, 3: link, index } of text.matchAll(INLINE)) {
    if (index > at) yield text.slice(at, index)
    if (code !== undefined) yield element('code', code)
    else if (strong !== undefined) yield element('strong', strong)
    else yield link
    at = index + whole.length
  }
  if (at < text.length) yield text.slice(at)
}

function block(text) {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fence) return element('pre', element('code', fence[1]))
  const lines = text.split('\n')
  if (lines.every((line) => /^[-*] /.test(line))) {
    return element('ul', ...lines.map((line) => element('li', ...inline(line.slice(2)))))
  }
  return element('p', ...inline(text))
}

export function markdown(text) {
  const blocks = text.trim().match(/```[\s\S]*?```|(?:(?!\n\n|```)[\s\S])+/g) ?? []
  const made = element(
    'div',
    ...blocks
      .map((part) => part.trim())
      .filter(Boolean)
      .map(block),
  )
  made.className = 'cm-known'
  return made
}
