// The manual in all its forms.
import './common.js'

export { man } from './formats/man.js'
export { markdown } from './formats/markdown.js'
export { help, helpOf } from './help.js'
