// Runs before the first paint of a page of the documentation. It applies the palette that was chosen in the workbench, and
// loads the search when its field is first used.
{
  let theme
  try {
    theme = localStorage.getItem('transcript-workbench.theme')
  } catch {
    // A browser without storage uses the system's setting.
  }
  if (['light', 'dark'].includes(theme)) document.documentElement.dataset.theme = theme

  const begin = (search) => {
    const field = search.querySelector('input')
    const load = () =>
      import('__SEARCH__').then(
        ({ begin }) => begin(search),
        () => {
          search.querySelector('[role=status]').textContent = 'The search could not be loaded.'
          field.addEventListener('input', load, { once: true })
        },
      )
    field.addEventListener('focus', load, { once: true })
    addEventListener('keydown', (event) => {
      const isTyping = event.target.closest?.('input, textarea, select')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      field.focus()
    })
  }

  addEventListener('DOMContentLoaded', () => {
    const search = document.querySelector('search')
    if (search) begin(search)
  })
}
