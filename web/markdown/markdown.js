// Markdown of models and people as elements. Nothing in it becomes HTML: every text is a text node, tags are shown as they are
// written, links lead to the web or to an address of mail only, and images hold their own bytes.
import { GFM, parser as commonMark } from '@lezer/markdown'
import { codeBlock } from './code.js'

const parser = commonMark.configure(GFM)

const LINK = /^(?:https?:\/\/|mailto:)/i
const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[\w+/=\s]*$/i

/** Blocks and spans with the same content as their node. */
const TAGS = {
  Document: 'div',
  Paragraph: 'p',
  Blockquote: 'blockquote',
  BulletList: 'ul',
  OrderedList: 'ol',
  ListItem: 'li',
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  Task: 'span',
  Table: 'table',
  TableHeader: 'tr',
  TableRow: 'tr',
}
/** All are one level below the heading of the pane: a text may leave out levels. */
const HEADING = /^(?:ATX|Setext)Heading(\d)$/
/** What only marks the structure. */
const MARKS = /Mark$|^(?:TableDelimiter|LinkReference|LinkTitle|LinkLabel|CodeInfo|URL)$/
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const element = (tag, ...children) => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}

function* childrenOf(node) {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child
}

function entity(written) {
  const [, number, name] = /^&(?:#(x?[\da-f]+)|(\w+));$/i.exec(written) ?? []
  if (name) return ENTITIES[name] ?? written
  const code = Number(number?.replace(/^x/i, '0x'))
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : written
}

/** An address as it is reached, or nothing. */
export function linkTo(address, content) {
  if (!LINK.test(address)) return content
  const link = element('a', ...content)
  Object.assign(link, { href: address, rel: 'noopener noreferrer', target: '_blank' })
  return [link]
}

/** An image that holds its bytes; of any other its words, with a link to it. */
export function image(address, words) {
  if (!IMAGE.test(address)) return linkTo(address, [words || address])
  const made = element('img')
  Object.assign(made, { src: address, alt: words })
  return [made]
}

class Renderer {
  constructor(text) {
    this.text = text
  }

  of(node) {
    return this.text.slice(node.from, node.to)
  }

  /** The text of a child with that name. */
  part(node, name) {
    const child = node.getChild(name)
    return child ? this.of(child) : ''
  }

  /** What is in a node: the texts between its children, and its children. */
  content(node, end = node.to) {
    const out = []
    // Blocks hold no text of their own: what is between theirs is marks and blanks.
    const isBlock = /^(?:Document|Blockquote|BulletList|OrderedList|ListItem|Table(?:Header|Row)?)$/.test(node.name)
    const add = (from, to) => {
      if (!isBlock && to > from) out.push(this.text.slice(from, to))
    }
    let at = node.from
    for (const child of childrenOf(node)) {
      if (child.from >= end) break
      add(at, child.from)
      out.push(...this.elements(child))
      at = child.to
      // The blank between a mark and its text.
      if (/^(?:HeaderMark|TaskMarker|QuoteMark)$/.test(child.name) && this.text[at] === ' ') at += 1
    }
    add(at, end)
    return out
  }

  /** What is in the brackets of a link or an image. */
  label(node) {
    return this.content(node, node.getChildren('LinkMark')[1]?.from)
  }

  list(node) {
    const made = element(TAGS[node.name], ...this.content(node))
    const start = Number.parseInt(this.part(node.firstChild, 'ListMark'), 10)
    if (node.name === 'OrderedList' && start !== 1) made.start = start
    return made
  }

  code(node) {
    // In a list or a quotation each line is a node of its own.
    const text = node
      .getChildren('CodeText')
      .map((code) => this.of(code))
      .join('')
    return codeBlock(text, this.part(node, 'CodeInfo').split(/\s/)[0])
  }

  elements(node) {
    const { name } = node
    const heading = HEADING.exec(name)
    if (heading) {
      const made = element('div', ...this.content(node))
      made.setAttribute('role', 'heading')
      made.setAttribute('aria-level', '3')
      made.className = `md-heading md-h${heading[1]}`
      return [made]
    }
    switch (name) {
      case 'FencedCode':
      case 'CodeBlock':
        return [this.code(node)]
      case 'BulletList':
      case 'OrderedList':
        return [this.list(node)]
      case 'InlineCode':
        return [element('code', ...this.content(node))]
      case 'Link': {
        const label = this.label(node)
        // Brackets without an address may be any text: whether they refer to one is not looked up.
        if (!node.getChild('URL')) return ['[', ...label, this.text.slice(node.getChildren('LinkMark')[1]?.from ?? node.to, node.to)]
        return linkTo(this.part(node, 'URL'), label)
      }
      case 'Image': {
        const words = this.label(node).map((piece) => piece.textContent ?? piece)
        return image(this.part(node, 'URL'), words.join(''))
      }
      case 'Autolink': {
        const address = this.part(node, 'URL')
        return linkTo(/^[^/:]+@/.test(address) ? `mailto:${address}` : address, [address])
      }
      case 'URL': {
        // A bare address; inside of a link it is a mark.
        if (/^(?:Link|Image|Autolink|LinkReference)$/.test(node.parent?.name)) return []
        const address = this.of(node)
        return linkTo(/^www\./i.test(address) ? `https://${address}` : address, [address])
      }
      case 'HorizontalRule':
        return [element('hr')]
      case 'HardBreak':
        return [element('br')]
      case 'Escape':
        return [this.text.slice(node.from + 1, node.to)]
      case 'Entity':
        return [entity(this.of(node))]
      case 'TableCell':
        return [element(node.parent.name === 'TableHeader' ? 'th' : 'td', ...this.content(node))]
      case 'TaskMarker':
        return [/x/i.test(this.of(node)) ? '☑ ' : '☐ ']
      case 'HTMLBlock':
      case 'CommentBlock':
      case 'ProcessingInstructionBlock':
        return [element('pre', this.of(node))]
      case 'HTMLTag':
      case 'Comment':
      case 'ProcessingInstruction':
        return [this.of(node)]
      default:
        if (MARKS.test(name)) return []
        return [element(TAGS[name] ?? 'span', ...this.content(node))]
    }
  }
}

/** Shows `text` inside `place`, in the place of what is there. */
export function show(place, text) {
  const renderer = new Renderer(text)
  place.replaceChildren(...renderer.content(parser.parse(text).topNode))
}
