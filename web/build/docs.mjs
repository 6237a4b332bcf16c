// Renders the documentation, `public/docs/**/*.md`, into pages of the site.
//
// The pages hold no script. HTML in the Markdown is text, as it is everywhere in this program.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import markdownIt from 'markdown-it'

const web = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(dirname(web), 'public', 'docs')

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

const anchorOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

const textOf = (inline) => inline.children.filter(({ type }) => /^(text|code_inline)$/.test(type)).map(({ content }) => content).join('')

markdown.renderer.rules.heading_open = (tokens, at, options, _, renderer) => {
  tokens[at].attrSet('id', anchorOf(textOf(tokens[at + 1])))
  return renderer.renderToken(tokens, at, options)
}

// Wide tables scroll by themselves, not with the page.
markdown.renderer.rules.table_open = () => '<div class="wide"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'

const isOwnPage = (address) => !/^[a-z][a-z0-9+.-]*:/i.test(address) && /\.md(#|$)/.test(address)

markdown.core.ruler.push('links', ({ tokens }) => {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const address = token.type === 'link_open' ? token.attrGet('href') : null
      if (address !== null && isOwnPage(address)) token.attrSet('href', address.replace(/\.md(?=#|$)/, '.html'))
    }
  }
})

const escape = (text) => text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character])

const page = ({ title, body, up, chapters, policy, style }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    ${policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ''}
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escape(title)} · Transcript Workbench</title>
    <link rel="icon" href="${up}favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${up}${style}">
  </head>
  <body>
    <nav aria-label="Documentation">
      <a href="${up}index.html">Workbench</a>
      ${chapters.map(({ file, title }) => `<a href="${up}docs/${file}">${escape(title)}</a>`).join('\n      ')}
    </nav>
    <main>
${body}    </main>
  </body>
</html>
`

const names = () =>
  readdirSync(source, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.md'))
    .sort()

const read = (name) => {
  const text = readFileSync(join(source, name), 'utf8')
  const [, title = name] = /^# (.+)$/m.exec(text) ?? []
  return { name, text, title: title.replaceAll('`', ''), file: name.replace(/\.md$/, '.html') }
}

/** Renders every page into `docs` below the folder `site`; `publish` stores the style sheet and gives its name. */
export function renderDocs(site, policy, publish) {
  const pages = names().map(read)
  if (pages.length === 0) return
  const sheets = ['styles/tokens.css', 'styles/docs.css'].map((file) => readFileSync(join(web, file), 'utf8'))
  const style = publish('docs', 'css', sheets.join('\n'))
  const chapters = pages.filter(({ name }) => !name.includes('/'))
  for (const { name, text, title, file } of pages) {
    const up = '../'.repeat(name.split('/').length)
    const body = markdown.render(text)
    const target = join(site, 'docs', ...file.split(posix.sep))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, page({ title, body, up, chapters, policy, style }))
  }
}
