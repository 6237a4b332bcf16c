// Code, plain at first; its parts are marked once the script for that has come, if its language is known.

/** The languages of `highlight.js` by their names and the ends of file names. */
const LANGUAGES = {
  javascript: /^(?:javascript|js|jsx|mjs|cjs|typescript|ts|tsx|mts)$/i,
  json: /^json[5cl]?$/i,
  python: /^(?:python|python3|py|pyi)$/i,
}
/** Longer code stays plain: a person waits for it. */
const LONGEST = 50_000

let loading
const load = () => {
  loading ??= import('./highlight.js')
  // One that did not come is requested again with the next code.
  loading.catch(() => (loading = undefined))
  return loading
}

/** Shows code inside `place`, in the place of what is there. */
function showCode(place, text, language) {
  place.textContent = text
  const known = Object.keys(LANGUAGES).find((name) => LANGUAGES[name].test(language))
  if (!known || text.length > LONGEST) return
  load().then(
    ({ highlight }) => {
      if (place.textContent === text) place.replaceChildren(...highlight(text, known))
    },
    () => {},
  )
}

/** A block of code. */
export function codeBlock(text, language) {
  const [block, code] = ['pre', 'code'].map((tag) => document.createElement(tag))
  showCode(code, text, language)
  block.append(code)
  block.className = 'md-code'
  // A block that is wider than its place scrolls, with the keyboard as well.
  block.tabIndex = 0
  return block
}
