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
}
/** All are one level below the heading of the pane: a text may leave out levels. */
const HEADING = /^(?:ATX|Setext)Heading(\d)$/
/** What only marks the structure. */
const MARKS = /Mark$|^(?:TableDelimiter|LinkTitle|LinkLabel|CodeInfo)$/
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }))

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
  if (name) return ENTITIES.get(name) ?? written
  const code = Number(number?.replace(/^x/i, '0x'))
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : written
}

/** The name of a reference: case and blanks make no difference. */
const referenceName = (label) =>
  label
    .replace(/^\[|\]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

class Renderer {
  constructor(text, tree) {
    this.text = text
    this.isInLink = false
    this.references = new Map()
    tree.iterate({
      enter: (found) => {
        if (found.name !== 'LinkReference') return
        const name = referenceName(this.part(found.node, 'LinkLabel'))
        if (!this.references.has(name)) this.references.set(name, this.part(found.node, 'URL'))
      },
    })
  }

  textOf(node) {
    return this.text.slice(node.from, node.to)
  }

  /** A link to an address of the web or of mail; for any other the content alone. Links have no links inside. */
  linkTo(address, content) {
    const bare = address.replace(/^<|>$/g, '')
    if (this.isInLink || !LINK.test(bare)) return content
    const link = element('a', ...content)
    Object.assign(link, { href: bare, rel: 'noopener noreferrer', target: '_blank' })
    return [link]
  }

  /** An image that holds its bytes; of any other its words, with a link to it. */
  image(address, words) {
    if (!IMAGE.test(address)) return this.linkTo(address, [words || address])
    const made = element('img')
    Object.assign(made, { src: address, alt: words })
    return [made]
  }

  /** The text of a child with that name. */
  part(node, name) {
    const child = node.getChild(name)
    return child ? this.textOf(child) : ''
  }

  /** What is in a node: the texts between its children, and its children. */
  content(node, end = node.to) {
    const out = []
    // Blocks hold no text of their own: what is between theirs is marks and blanks.
    const isBlock = /^(?:Document|Blockquote|BulletList|OrderedList|ListItem|Table)$/.test(node.name)
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

  /** A link or an image: what is in its brackets, and its address, if it has one or refers to one. */
  bracketed(node) {
    const close = node.getChildren('LinkMark')[1]
    const wasInLink = this.isInLink
    this.isInLink = true
    const label = this.content(node, close?.from)
    this.isInLink = wasInLink
    const own = node.getChildren('URL').find((address) => close && address.from >= close.to)
    const written = this.text.slice(node.from, close?.to ?? node.to).replace(/^!/, '')
    const name = [this.part(node, 'LinkLabel'), written].map(referenceName).find(Boolean)
    return { label, address: own ? this.textOf(own) : this.references.get(name), rest: close ? this.text.slice(close.from, node.to) : '' }
  }

  /** The cells of a row. An empty one has no node. */
  cells(node) {
    const kind = node.name === 'TableHeader' ? 'th' : 'td'
    const out = []
    let isOpen = false
    for (const child of childrenOf(node)) {
      if (child.name === 'TableCell') out.push(element(kind, ...this.content(child)))
      else if (isOpen) out.push(element(kind))
      isOpen = child.name !== 'TableCell'
    }
    return out
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
      .map((code) => this.textOf(code))
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
        const { label, address, rest } = this.bracketed(node)
        // Brackets without an address may be any text.
        return address === undefined ? ['[', ...label, rest] : this.linkTo(address, label)
      }
      case 'Image': {
        const { label, address = '' } = this.bracketed(node)
        return this.image(address, label.map((piece) => piece.textContent ?? piece).join(''))
      }
      case 'Autolink': {
        const address = this.part(node, 'URL')
        return this.linkTo(/^[^/:]+@/.test(address) ? `mailto:${address}` : address, [address])
      }
      case 'URL': {
        const address = this.textOf(node)
        return this.linkTo(/^www\./i.test(address) ? `https://${address}` : address, [address])
      }
      // Sources at the end of a text are listed so: a person wants to see them.
      case 'LinkReference':
        return [element('p', `${this.part(node, 'LinkLabel')}: `, ...this.linkTo(this.part(node, 'URL'), [this.part(node, 'URL')]))]
      case 'TableHeader':
      case 'TableRow':
        return [element('tr', ...this.cells(node))]
      case 'HorizontalRule':
        return [element('hr')]
      case 'HardBreak':
        return [element('br')]
      case 'Escape':
        return [this.text.slice(node.from + 1, node.to)]
      case 'Entity':
        return [entity(this.textOf(node))]
      case 'TaskMarker':
        return [/x/i.test(this.textOf(node)) ? '☑ ' : '☐ ']
      case 'HTMLBlock':
      case 'CommentBlock':
      case 'ProcessingInstructionBlock':
        return [element('pre', this.textOf(node))]
      case 'HTMLTag':
      case 'Comment':
      case 'ProcessingInstruction':
        return [this.textOf(node)]
      default:
        if (MARKS.test(name)) return []
        return [element(TAGS[name] ?? 'span', ...this.content(node))]
    }
  }
}

/** Shows `text` inside `place`, in the place of what is there. */
export function show(place, text) {
  const tree = parser.parse(text)
  place.replaceChildren(...new Renderer(text, tree).content(tree.topNode))
}
