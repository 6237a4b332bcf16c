// What the fetch and the servers share: a module of its own in the package, so that it is there once.
export { Bodies } from './request-bodies.js'
export { isMock, isTape } from '../adapters/answer.js'
export { JSON_TYPE, paced, refused, respond, timingOf } from './response.js'
export { Room } from './replay-session.js'
export { routeOf } from './route.js'
export { secretsOf } from './secrets.js'
export { Story } from './exchange-recorder.js'
export { watchBody, watchStream } from './watch.js'
