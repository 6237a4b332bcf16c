// What the fetch and the servers share: a module of its own in the package, so that it is there once.
export { RequestBodies } from './request-bodies.js'
export { isMock, isTape } from '../adapters/answer.js'
export { JSON_TYPE, pacedEvents, requestError, respond, checkTiming } from './response.js'
export { ReplaySession } from './replay-session.js'
export { routeOf } from './route.js'
export { secretsOf } from './secrets.js'
export { ExchangeRecorder } from './exchange-recorder.js'
export { watchBody, watchStream } from './watch.js'
