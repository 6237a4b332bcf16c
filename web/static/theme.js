// Runs before the first paint, so that the page does not flash in the other palette.
try {
  const [, demanded] = /[?&]theme=(light|dark)(?:&|$)/.exec(location.hash) ?? [];
  const theme = demanded ?? localStorage.getItem('transcript-workbench.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows what the system says.
}
