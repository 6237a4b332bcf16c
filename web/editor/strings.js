// Every word of the editor that a person reads or hears, in English and German.

const { lang } = document.documentElement

/** For tests, English with its vowels twice: longer, and different from what is in no table. */
const longer = (english) => english.replace(/\{\w+\}|[aeiou]/gi, (found) => (found.length > 1 ? found : found + found))

const CHOICE = { de: (_, german) => german, 'en-x-qps': longer }
const say = CHOICE[lang] ?? ((english) => english)

export const WORDS = {
  mark: {
    error: say('Error in line {line}', 'Fehler in Zeile {line}'),
    warning: say('Warning in line {line}', 'Warnung in Zeile {line}'),
    info: say('Note in line {line}', 'Hinweis in Zeile {line}'),
  },
  severity: { error: say('Error', 'Fehler'), warning: say('Warning', 'Warnung'), info: say('Note', 'Hinweis') },
  explain: say('About {code}', 'Über {code}'),
  fix: say('Fix: {title}', 'Beheben: {title}'),
  related: say('Line {line}: {message}', 'Zeile {line}: {message}'),
  keys: say(
    'Tab indents. Press Escape, then Tab, to leave the editor. Ctrl+Space offers what may stand here, F1 tells what stands here.',
    'Tab rückt ein. Escape und dann Tab verlässt den Editor. Strg+Leertaste bietet an, was hier stehen kann, F1 sagt, was hier steht.',
  ),
  released: say('Tab leaves the editor now.', 'Tab verlässt jetzt den Editor.'),
  rename: say('New name of {name}', 'Neuer Name von {name}'),
  renameGo: say('Rename', 'Umbenennen'),
  renamed: say('Renamed.', 'Umbenannt.'),
  noName: say('There is no id here to rename.', 'Hier ist keine Id, die sich umbenennen lässt.'),
  noDefinition: say('No definition of {name} is found.', 'Keine Definition von {name} gefunden.'),
  nothingKnown: say('Nothing is known of what stands here.', 'Von dem, was hier steht, ist nichts bekannt.'),
  close: say('Close', 'Schließen'),
}

/** What CodeMirror says, in our words. */
export const PHRASES = {
  Find: say('Find', 'Suchen'),
  Replace: say('Replace', 'Ersetzen durch'),
  next: say('Next', 'Weiter'),
  previous: say('Previous', 'Zurück'),
  all: say('All', 'Alle'),
  'match case': say('Match case', 'Groß/klein'),
  regexp: say('Pattern', 'Muster'),
  'by word': say('Whole words', 'Ganze Wörter'),
  replace: say('Replace', 'Ersetzen'),
  'replace all': say('Replace all', 'Alle ersetzen'),
  close: say('close', 'schließen'),
  'Go to line': say('Go to line', 'Zu Zeile'),
  go: say('go', 'los'),
  'Selection deleted': say('Selection deleted', 'Auswahl gelöscht'),
  'current match': say('current match', 'aktueller Treffer'),
  'on line': say('on line', 'in Zeile'),
  'replaced match on line $': say('replaced match on line $', 'Treffer in Zeile $ ersetzt'),
  'replaced $ matches': say('replaced $ matches', '$ Treffer ersetzt'),
  'Control character': say('Control character', 'Steuerzeichen'),
  'folded code': say('Folded lines', 'Eingeklappte Zeilen'),
  'Folded lines': say('Folded lines', 'Eingeklappte Zeilen'),
  'Unfolded lines': say('Unfolded lines', 'Ausgeklappte Zeilen'),
  to: say('to', 'bis'),
  unfold: say('Unfold', 'Ausklappen'),
  'Fold line': say('Fold', 'Einklappen'),
  'Unfold line': say('Unfold', 'Ausklappen'),
  Completions: say('What may stand here', 'Was hier stehen kann'),
}

export const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, key) => values[key])
