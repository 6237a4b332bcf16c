// What the fetch and the servers share: a module of its own in the package, so that it is there once.
export { Bodies } from './bodies.js'
export { isMock, isTape } from '../adapters/answer.js'
export { JSON_TYPE, paced, refused, respond, timingOf } from './response.js'
export { Room } from './room.js'
export { routeOf } from './route.js'
export { secretsOf } from './secrets.js'
export { Story } from './story.js'
export { watchBody, watchStream } from './watch.js'
