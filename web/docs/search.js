// The search of the documentation. The index is a file of the site; see `web/build/docs-index.mjs`. Its texts become text
// nodes, and no HTML.

const MOST = 12
/** The length of an excerpt in characters, and how many of them may come before the first match. */
const EXCERPT = 150
const BEFORE = 50

const isWordStart = (text, at) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])

const isWordEnd = (text, at) => at === text.length || !/[\p{L}\p{N}]/u.test(text[at])

/** Further occurrences of a word in a text do not change its rating. */
const MOST_OCCURRENCES = 6

/** Rates how well a text matches a word; 0 without a match. */
function rate(text, word, [whole, start, inside, more]) {
  let best = 0
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < MOST_OCCURRENCES; at = text.indexOf(word, at + word.length)) {
    const isStart = isWordStart(text, at)
    best = Math.max(best, isStart && isWordEnd(text, at + word.length) ? whole : isStart ? start : inside)
    count += 1
  }
  return best + more * count
}

/** The weights of each part of a section: for a whole word, the start of a word, the inside of a word, and each occurrence. */
const RATES = [
  ['heading', [24, 16, 8, 0]],
  ['title', [12, 8, 4, 0]],
  ['text', [3, 2, 1, 0.5]],
]
/** The bonus for a section that contains the whole query as a phrase. */
const PHRASE = 6
/** Guides come before the page of a diagnostic that has the same words. */
const DIAGNOSTIC = 0.5

/** The sections of an index, ready to be searched. */
export const prepare = ({ pages, sections }) =>
  sections.map(([at, anchor, heading, text]) => {
    const [file, title, label] = pages[at]
    // The first section of a page has the title for its heading.
    const lower = { title: `${title} ${label}`.toLowerCase(), heading: (heading || title).toLowerCase(), text: text.toLowerCase() }
    return { address: anchor ? `${file}#${anchor}` : file, title, heading, text, lower }
  })

/** The words of a query, in lower case. */
export const wordsOf = (query) => query.toLowerCase().split(/\s+/).filter(Boolean)

/** The sections that have every word, best first. */
export function find(sections, words) {
  if (words.length === 0) return []
  const found = []
  const phrase = words.join(' ')
  for (const section of sections) {
    let total = section.lower.text.replaceAll('_', ' ').includes(phrase) ? PHRASE : 0
    const hasAll = words.every((word) => {
      const rated = RATES.map(([part, rates]) => rate(section.lower[part], word, rates))
      total += rated.reduce((sum, one) => sum + one)
      return rated.some((one) => one > 0)
    })
    if (section.address.startsWith('diagnostics/')) total *= DIAGNOSTIC
    if (hasAll) found.push({ section, total })
  }
  found.sort((a, b) => b.total - a.total)
  return found.slice(0, MOST).map(({ section }) => section)
}

/** The part of a text around its first match, as pieces: `[text, whether it is a match]`. */
export function excerpt(text, words) {
  const lower = text.toLowerCase()
  // Some letters change their length in lower case, which would shift all later positions.
  const search = lower.length === text.length ? lower : text
  const places = words.map((word) => search.indexOf(word)).filter((at) => at >= 0)
  const first = places.length > 0 ? Math.min(...places) : 0
  let start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1
  if (start > first) start = first
  const end = text.length <= start + EXCERPT ? text.length : Math.max(text.lastIndexOf(' ', start + EXCERPT), first + 1)
  const pieces = []
  let at = start
  while (at < end) {
    const next = words
      .map((word) => ({ place: search.indexOf(word, at), length: word.length }))
      .filter(({ place }) => place >= 0 && place < end)
      .sort((a, b) => a.place - b.place || b.length - a.length)[0]
    if (!next) break
    if (next.place > at) pieces.push([text.slice(at, next.place), false])
    pieces.push([text.slice(next.place, next.place + next.length), true])
    at = next.place + next.length
  }
  if (at < end) pieces.push([text.slice(at, end), false])
  if (start > 0) pieces.unshift(['… ', false])
  if (end < text.length) pieces.push([' …', false])
  return pieces
}

function element(name, text, properties) {
  const made = Object.assign(document.createElement(name), properties)
  made.textContent = text
  return made
}

function option({ address, title, heading, text }, words, at) {
  const link = element('a', '', {
    href: new URL(`docs/${address}`, import.meta.url),
    id: `search-result-${at}`,
    role: 'option',
    tabIndex: -1,
  })
  link.ariaSelected = 'false'
  const place = element('span', heading || title, { className: 'search-heading' })
  const shown = element('span', '', { className: 'search-excerpt' })
  for (const [piece, isMatch] of excerpt(text, words)) shown.append(isMatch ? element('mark', piece) : piece)
  link.append(place, ' ', element('span', heading ? title : '', { className: 'search-page' }), shown)
  return link
}

/** Loads the index and starts the search in the element `search` of the page. */
export async function begin(search) {
  const [field, list, status] = ['input', '[role=listbox]', '[role=status]'].map((selector) => search.querySelector(selector))
  let sections
  let active = -1

  const select = (at) => {
    list.children[active]?.setAttribute('aria-selected', 'false')
    active = at
    const chosen = list.children[active]
    chosen?.setAttribute('aria-selected', 'true')
    chosen?.scrollIntoView({ block: 'nearest' })
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id)
    else field.removeAttribute('aria-activedescendant')
  }
  const show = (isOpen) => {
    list.hidden = !isOpen
    field.ariaExpanded = String(isOpen)
    if (!isOpen) select(-1)
  }
  const close = () => {
    show(false)
    status.textContent = ''
  }
  const answer = () => {
    if (!sections) return
    const words = wordsOf(field.value)
    const found = find(sections, words)
    select(-1)
    list.replaceChildren(...found.map((section, at) => option(section, words, at)))
    show(found.length > 0)
    const count = found.length === 1 ? '1 result' : found.length === MOST ? `The ${MOST} best results` : `${found.length} results`
    status.textContent = words.length === 0 ? '' : found.length > 0 ? count : `Nothing found for “${field.value.trim()}”`
  }
  const move = (by) => {
    const { length } = list.children
    if (list.hidden) answer()
    else select(active < 0 ? (by > 0 ? 0 : length - 1) : (active + by + length) % length)
  }
  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => list.children[Math.max(active, 0)]?.click(),
    Escape: () => {
      if (field.value === '') field.blur()
      field.value = ''
      answer()
    },
  }

  field.addEventListener('input', answer)
  field.addEventListener('focus', answer)
  field.addEventListener('keydown', (event) => {
    if (!Object.hasOwn(KEYS, event.key) || event.isComposing) return
    event.preventDefault()
    KEYS[event.key]()
  })
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) close()
  })
  list.addEventListener('click', close)

  try {
    const reply = await fetch(new URL('__INDEX__', import.meta.url))
    if (!reply.ok) throw new Error(reply.statusText)
    sections = prepare(await reply.json())
  } catch {
    status.textContent = 'The search could not be loaded.'
    return
  }
  answer()
}
