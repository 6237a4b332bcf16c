// The commands that listen for requests.
import '../common.js'

export { open } from './open.js'
export { record } from './record.js'
export { serve } from './serve.js'
