// Renders the documentation, `public/docs/**/*.md`, into pages of the site, with a search and with links that open the
// examples in the workbench.
//
// HTML in the Markdown is text, as it is everywhere in this program. The pages hold no inline script.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import markdownIt from 'markdown-it'
import { searchIndex, textOf } from './docs-index.mjs'
import { linkOf } from './docs-snippets.mjs'

const web = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(dirname(web), 'public', 'docs')

/** The page with the list of all pages, grouped by task. */
const CONTENTS = 'index.md'

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

const anchorOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

const escape = (text) => text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character])

/** What the frame of each page uses. */
const TAKEN = ['content', 'search-field', 'search-results']

markdown.core.ruler.push('anchors', ({ tokens }) => {
  const used = new Set(TAKEN)
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const anchor = anchorOf(textOf(tokens[at + 1]))
    let free = anchor
    for (let number = 2; used.has(free); number += 1) free = `${anchor}-${number}`
    used.add(free)
    token.attrSet('id', free)
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

markdown.renderer.rules.fence = (tokens, at, _, { linkTo }) => {
  const { info, content } = tokens[at]
  const address = linkTo(info, content)
  const link = address === undefined ? '' : `<p class="try"><a href="${escape(address)}">Try it in the workbench</a></p>\n`
  return `<pre tabindex="0"><code class="language-${escape(info)}">${escape(content)}</code></pre>\n${link}`
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

const navigation = (groups, up, current) =>
  groups
    .map(({ heading, links }) => {
      const items = links.map(({ file, label }) => `<li><a href="${up}docs/${file}"${file === current ? ' aria-current="page"' : ''}>${escape(label)}</a></li>`)
      return `<p>${escape(heading)}</p>\n<ul>${items.join('')}</ul>`
    })
    .join('\n')

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
${navigation(groups, up, file.startsWith('diagnostics/') ? 'diagnostics.html' : file)}
      </nav>
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

const read = (name) => {
  const tokens = markdown.parse(readFileSync(join(source, name), 'utf8'), {})
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const title = at < 0 ? name : textOf(tokens[at + 1])
  return { name, tokens, title, file: name.replace(/\.md$/, '.html'), isDiagnostic: name.startsWith('diagnostics/') }
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
 * the reader of the page.
 */
export function renderDocs(site, { policy, publish, open }) {
  const pages = names().map(read)
  const contents = pages.find(({ name }) => name === CONTENTS)
  if (!contents) throw new Error(`there is no ${CONTENTS} in ${source}`)
  const sheets = ['styles/tokens.css', 'styles/docs.css'].map((file) => readFileSync(join(web, file), 'utf8'))
  const style = publish('docs', 'css', sheets.join('\n'))
  const groups = groupsOf(contents.tokens)
  const script = publishScripts(pages, groups, publish)
  for (const { name, tokens, title, file, isDiagnostic } of pages) {
    const up = '../'.repeat(name.split('/').length)
    const example = posix.basename(name, '.md')
    let count = 0
    const linkTo = (language, text) => {
      const link = linkOf({ open, language, text, isExample: isDiagnostic, name: count === 0 ? example : `${example}-${count + 1}` })
      if (link) count += 1
      return link && `${up}index.html${link}`
    }
    const body = markdown.renderer.render(tokens, markdown.options, { linkTo })
    const target = join(site, 'docs', ...file.split(posix.sep))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, page({ title, body, up, file, groups, policy, style, script }))
  }
}
