// Runs before the first paint, so that the page does not flash in the other palette or another language.
{
  const demanded = (name) => new RegExp(`[?&]${name}=(\\w+)(?:&|$)`).exec(location.hash)?.[1]
  const kept = (name) => {
    try {
      return localStorage.getItem(`transcript-workbench.${name}`)
    } catch {
      // A browser that keeps nothing goes by what the system and the person's languages say.
    }
  }
  const page = document.documentElement
  const theme = [demanded('theme'), kept('theme')].find((name) => ['light', 'dark'].includes(name))
  if (theme) page.dataset.theme = theme
  // The last is for tests: English with long words.
  const tags = new Map([
    ['en', 'en'],
    ['de', 'de'],
    ['qps', 'en-x-qps'],
  ])
  const own = navigator.languages.map((tag) => tag.split('-')[0].toLowerCase())
  page.lang = tags.get([demanded('lang'), kept('language'), ...own].find((name) => tags.has(name))) ?? 'en'
}
