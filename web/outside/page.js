// The page's side of the frame that asks other hosts; see frame.js. Loaded when the first one is asked.

/** How long the frame may take to be there, in milliseconds. */
const PATIENCE = 15_000

/**
 * Asks `origin` in a new frame; `onMessage` gets each message as a list, and `read` resolves to what the core reads. Returns the abort
 * function.
 */
export function ask(host, origin, request, onMessage, read) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  Object.assign(frame, { hidden: true, title: host, src: new URL('__FRAME__', import.meta.url).href })
  const { port1, port2 } = new MessageChannel()
  let timer
  const stop = () => {
    clearTimeout(timer)
    port1.close()
    // This also ends its requests.
    frame.remove()
  }
  port1.onmessage = ({ data }) => {
    clearTimeout(timer)
    if (data[0] === 'read') {
      const [, ...parts] = data
      read(parts).then(
        (answer) => port1.postMessage([answer]),
        (problem) => port1.postMessage([undefined, String(problem)]),
      )
      return
    }
    onMessage(data)
    if (data[0] === 'done' || data[0] === 'failed') stop()
  }
  frame.addEventListener(
    'load',
    () => {
      // The frame has no origin that could be named.
      frame.contentWindow.postMessage([origin, request], '*', [port2])
    },
    { once: true },
  )
  timer = setTimeout(() => {
    stop()
    onMessage(['failed', 'missing', ''])
  }, PATIENCE)
  document.body.append(frame)
  return stop
}
