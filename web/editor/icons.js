// The icons of the page's marks, from lucide; see `src/ui/icons.rs`.

const PATHS = {
  error: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M15 9l-6 6M9 9l6 6',
  warning: 'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
  info: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 16v-4M12 8h.01',
}
const SVG = 'http://www.w3.org/2000/svg'

/** An icon, hidden from screen readers: a word is next to it. */
export function icon(name) {
  const made = document.createElementNS(SVG, 'svg')
  made.setAttribute('class', 'icon')
  made.setAttribute('viewBox', '0 0 24 24')
  made.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  made.append(path)
  return made
}
