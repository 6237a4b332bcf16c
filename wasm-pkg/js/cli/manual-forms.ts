// The manual in all its forms.
import './common.ts'

export { man } from './formats/man.ts'
export { markdown } from './formats/markdown.ts'
export { help, helpOf } from './help.ts'
