// Every word of the editor that a person reads or hears.

export const WORDS = {
  mark: { error: 'Error in line {line}', warning: 'Warning in line {line}', info: 'Note in line {line}' },
  severity: { error: 'Error', warning: 'Warning', info: 'Note' },
  explain: 'About {code}',
  fix: 'Fix: {title}',
  related: 'Line {line}: {message}',
  keys: 'Tab indents. Press Escape, then Tab, to leave the editor. Ctrl+Space offers what may stand here, F1 tells what stands here.',
  released: 'Tab leaves the editor now.',
  rename: 'New name of {name}',
  renameGo: 'Rename',
  renamed: 'Renamed.',
  noName: 'There is no id here to rename.',
  noDefinition: 'No definition of {name} is found.',
  nothingKnown: 'Nothing is known of what stands here.',
  close: 'Close',
};

/** What CodeMirror says, in our words. */
export const PHRASES = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Pattern',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  'Control character': 'Control character',
  'folded code': 'Folded lines',
  'Folded lines': 'Folded lines',
  unfold: 'Unfold',
  'Fold line': 'Fold',
  'Unfold line': 'Unfold',
  Completions: 'What may stand here',
};

export const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, key) => values[key]);
