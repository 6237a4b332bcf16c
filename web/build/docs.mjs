// Renders the documentation, `public/docs/**/*.md` and the API reference, into pages of the site, with a search and with links that open the
// examples in the workbench.
//
// HTML in the Markdown is text, as it is everywhere in this program. The pages hold no inline script.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import markdownIt from 'markdown-it'
import { createAnchors } from './docs-anchors.mjs'
import { searchIndex, textOf } from './docs-index.mjs'
import { linkOf } from './docs-snippets.mjs'

const web = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(dirname(web), 'public', 'docs')

/** The page with the list of all pages, grouped by task. */
const CONTENTS = 'index.md'

/** What follows the language of a signature in the API reference. */
const SIGNATURE = 'ts signature'

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

const escape = (text) => text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character])

markdown.core.ruler.push('anchors', ({ tokens }) => {
  const anchorOf = createAnchors()
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(textOf(tokens[at + 1])))
  }
})

// A heading below the title is a link to itself.
const hasAnchor = ({ tag }) => tag !== 'h1'
const heading = (token, html) => `${html.trimEnd()}${hasAnchor(token) ? `<a href="#${token.attrGet('id')}">` : ''}`
markdown.renderer.rules.heading_open = (tokens, at, options, _, renderer) => heading(tokens[at], renderer.renderToken(tokens, at, options))
markdown.renderer.rules.heading_close = (tokens, at) => `${hasAnchor(tokens[at]) ? '</a>' : ''}</${tokens[at].tag}>\n`

// A table without a head has an empty one in Markdown.
markdown.core.ruler.push('tables', (state) => {
  const { tokens } = state
  const isEmpty = (at) => tokens[at].type === 'th_open' && tokens[at + 1].content === ''
  const dropped = new Set()
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'thead_open') {
      const end = tokens.findIndex(({ type }, place) => place > at && type === 'thead_close')
      const isHead = tokens.slice(at, end).some(({ type, content }) => type === 'inline' && content !== '')
      if (!isHead) for (let place = at; place <= end; place += 1) dropped.add(place)
    }
    if (isEmpty(at)) tokens[at].tag = tokens[at + 2].tag = 'td'
  }
  state.tokens = tokens.filter((_, at) => !dropped.has(at))
})

// Wide tables scroll by themselves, not with the page.
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'

markdown.renderer.rules.fence = (tokens, at, _, { linkTo, exported }) => {
  const { info, content } = tokens[at]
  const address = linkTo(info, content)
  const link = address === undefined ? '' : `<p class="try"><a href="${escape(address)}">Try it in the workbench</a></p>\n`
  const code = exported && info === SIGNATURE ? linkedTypes(content, exported) : escape(content)
  return `<pre tabindex="0"><code class="language-${escape(info)}">${code}</code></pre>\n${link}`
}

/** Code with a link for each type of the package but the one that it declares. Entities of HTML are in lower case, and so no types. */
const linkedTypes = (code, exported) =>
  escape(code).replace(/(?<!type )\b[A-Z]\w+/g, (name) =>
    exported.has(name) ? `<a href="${escape(exported.get(name))}">${name}</a>` : name,
  )

/** In the API reference, code in a text leads to what it names. */
markdown.renderer.rules.code_inline = (tokens, at, _, { exported }) => {
  const { content } = tokens[at]
  const isLinked = tokens.slice(0, at).reduce((depth, { nesting, type }) => depth + (type.startsWith('link_') ? nesting : 0), 0) > 0
  if (!exported || isLinked) return `<code>${escape(content)}</code>`
  const [, name] = /^([a-z]\w*)(?:\(\))?$/.exec(content) ?? []
  if (exported.has(name)) return `<code><a href="${escape(exported.get(name))}">${escape(content)}</a></code>`
  return `<code>${linkedTypes(content, exported)}</code>`
}

const isOwnPage = (address) => !/^[a-z][a-z0-9+.-]*:/i.test(address) && /\.md(#|$)/.test(address)

markdown.core.ruler.push('links', ({ tokens }) => {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const address = token.type === 'link_open' ? token.attrGet('href') : null
      if (address !== null && isOwnPage(address)) token.attrSet('href', address.replace(/\.md(?=#|$)/, '.html'))
    }
  }
})

/** The groups of the list of all pages: each its heading, and its links as `{file, label}`. */
function groupsOf(tokens) {
  const groups = []
  for (const [at, { type, tag }] of tokens.entries()) {
    if (type === 'heading_open' && tag === 'h2') groups.push({ heading: textOf(tokens[at + 1]), links: [] })
    if (type !== 'inline' || groups.length === 0) continue
    const { children } = tokens[at]
    const link = children.findIndex(({ type }) => type === 'link_open')
    if (link >= 0) groups.at(-1).links.push({ file: children[link].attrGet('href'), label: children[link + 1].content })
  }
  return groups.filter(({ links }) => links.length > 0)
}

/** What leads to pages that the site of the package is without; see `wasm-pkg/site.mjs`. */
const online = (element, html) => `<${element} class="online">${html}</${element}>\n`

const navigation = (groups, up, current) =>
  groups
    .map(({ heading, links, isReference }) => {
      const items = links.map(
        ({ file, label }) => `<li><a href="${up}docs/${file}"${file === current ? ' aria-current="page"' : ''}>${escape(label)}</a></li>`,
      )
      const html = `<p>${escape(heading)}</p>\n<ul>${items.join('')}</ul>\n`
      return isReference ? online('div', html) : html
    })
    .join('')

const page = ({ title, body, up, file, groups, policy, style, script }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    ${policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ''}
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escape(title)} · Transcript Workbench</title>
    <link rel="icon" href="${up}favicon.svg" type="image/svg+xml">
    <script src="${up}${script}"></script>
    <link rel="stylesheet" href="${up}${style}">
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
      <a href="${up}index.html">Workbench</a>
      <a href="${up}docs/index.html">Documentation</a>
      <search>
        <input id="search-field" type="search" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list">
        <div>
          <p role="status"></p>
          <div id="search-results" role="listbox" tabindex="-1" aria-label="Results" hidden></div>
        </div>
      </search>
    </header>
    <div class="columns">
      <nav aria-label="Documentation">
${navigation(groups, up, file.startsWith('diagnostics/') ? 'diagnostics.html' : file)}      </nav>
      <main id="content" tabindex="-1">
${body}      </main>
    </div>
  </body>
</html>
`

const names = () =>
  readdirSync(source, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.md'))
    .sort()

const read = ({ name, text }) => {
  const tokens = markdown.parse(text, {})
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const title = at < 0 ? name : textOf(tokens[at + 1])
  const isIn = (folder) => name.startsWith(`${folder}/`)
  return { name, tokens, title, file: name.replace(/\.md$/, '.html'), isDiagnostic: isIn('diagnostics'), isReference: isIn('reference') }
}

/** The entry points of the package as Markdown, in the form of the list of all pages. */
const listOf = (entries) => `## Package reference\n\n${entries.map(({ name, page, about }) => `- [${name}](${page}): ${about}\n`).join('')}`

/** Links from a guide to the entry points that it is about. */
function referencesOf(entries, guide) {
  const links = entries
    .filter((entry) => entry.guide.split('#')[0] === guide)
    .map(({ name, page }) => `<a href="${page.replace(/md$/, 'html')}">${name}</a>`)
  return links.length > 0 ? online('p', `API reference: ${links.join(', ')}`) : ''
}

/** Publishes the script of every page, and the search that it loads with its index. Returns the name of the first. */
function publishScripts(pages, groups, publish) {
  const script = (name) => readFileSync(join(web, 'docs', `${name}.js`), 'utf8')
  const labels = new Map(groups.flatMap(({ links }) => links.map(({ file, label }) => [file, label])))
  const searched = pages.filter(({ name }) => name !== CONTENTS).map((page) => ({ ...page, label: labels.get(page.file) ?? '' }))
  const index = publish('docs-search', 'json', JSON.stringify(searchIndex(searched)))
  const search = publish('docs-search', 'js', script('search').replace('__INDEX__', `./${index}`))
  return publish('docs', 'js', script('page').replace('__SEARCH__', `./${search}`))
}

/**
 * Renders every page into `docs` below the folder `site`. `publish` stores a file and gives its name, `open` opens a text with
 * the reader of the page. `reference` is the API reference, of which a development build has none; see `reference.mjs`.
 */
export function renderDocs(site, { policy, publish, open, reference = { entries: [], pages: [], names: {} } }) {
  const { entries } = reference
  const written = names().map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))
  const pages = [...written, ...reference.pages].map(read)
  const contents = pages.find(({ name }) => name === CONTENTS)
  if (!contents) throw new Error(`there is no ${CONTENTS} in ${source}`)
  const sheets = ['styles/tokens.css', 'styles/docs.css'].map((file) => readFileSync(join(web, file), 'utf8'))
  const style = publish('docs', 'css', sheets.join('\n'))
  const list = markdown.parse(listOf(entries), {})
  const groups = [...groupsOf(contents.tokens), ...groupsOf(list).map((group) => ({ ...group, isReference: true }))]
  const script = publishScripts(pages, groups, publish)
  const exported = new Map(Object.entries(reference.names))
  for (const { name, tokens, title, file, isDiagnostic, isReference } of pages) {
    const up = '../'.repeat(name.split('/').length)
    const example = posix.basename(name, '.md')
    let count = 0
    const linkTo = (language, text) => {
      const link = linkOf({ open, language, text, isExample: isDiagnostic, name: count === 0 ? example : `${example}-${count + 1}` })
      if (link) count += 1
      return link && `${up}index.html${link}`
    }
    const render = (tokens) => markdown.renderer.render(tokens, markdown.options, { linkTo, exported: isReference ? exported : undefined })
    const more = name === CONTENTS && entries.length > 0 ? online('section', render(list)) : ''
    const body = render(tokens).replace('</h1>\n', (end) => `${end}${referencesOf(entries, name)}`) + more
    const target = join(site, 'docs', ...file.split(posix.sep))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, page({ title, body, up, file, groups, policy, style, script }))
  }
}
