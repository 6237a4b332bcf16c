// The page's policy allows no style elements. Sheets that are constructed come under it neither way, and are used instead.
import { StyleModule } from 'style-mod'

const made = new Map()

function sheetOf(module) {
  if (!made.has(module)) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(module.getRules())
    made.set(module, sheet)
  }
  return made.get(module)
}

/** Makes every editor take its styles so; what comes later in `modules` wins. */
export function constructSheets() {
  StyleModule.mount = (root, modules) => {
    const sheets = [modules].flat().map(sheetOf)
    const others = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
    root.adoptedStyleSheets = [...others, ...sheets]
  }
}
