// The anchors of headings.

const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** The ids of the frame of each page. */
const TAKEN = ['content', 'search-field', 'search-results']

/** Returns a function that gives the headings of a page, in their order, an anchor each. */
export function createAnchors() {
  const used = new Set(TAKEN)
  return (text) => {
    const anchor = anchorOf(text)
    let free = anchor
    for (let number = 2; used.has(free); number += 1) free = `${anchor}-${number}`
    used.add(free)
    return free
  }
}
