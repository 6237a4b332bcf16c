// The commands that listen for requests.
import '../common.ts'

export { open } from './open.ts'
export { record } from './record.ts'
export { serve } from './serve.ts'
