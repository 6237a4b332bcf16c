// A browser without a screen: the page's module runs in Node with the documents of `happy-dom`.
import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker as Thread } from 'node:worker_threads'
import { Window } from 'happy-dom'

const ADDRESS = 'http://localhost/'

/** Makes this program a browser that shows the page `html`, a text, with the files of the folder `site`. Returns its window. */
export function showPage({ site, html, fragment, width }) {
  const fileOf = (address) => {
    const { protocol, pathname } = new URL(address, ADDRESS)
    return protocol === 'file:' ? fileURLToPath(address) : join(site, decodeURIComponent(pathname))
  }
  const settings = {
    disableJavaScriptEvaluation: true,
    disableJavaScriptFileLoading: true,
    disableCSSFileLoading: true,
    handleDisabledFileLoadingAsSuccess: true,
  }
  const window = new Window({ url: `${ADDRESS}${fragment}`, width, height: 800, settings })
  window.document.write(html.replaceAll(/<script\b[^>]*><\/script>|<link\b[^>]*>/g, ''))

  // The page finds the browser in the global object, which is its window. What Node has of its own stays, except events: the page
  // sends them to elements.
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const ofPage = /^(?:[A-Z]?\w*Event|EventTarget|AbortController|AbortSignal|Storage|navigator)$/
  for (const name of Object.getOwnPropertyNames(window)) if (!(name in globalThis) || ofPage.test(name)) define(name, window[name])
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle', 'getSelection', 'matchMedia'])
    define(name, window[name].bind(window))
  for (const name of ['window', 'self', 'top', 'parent']) define(name, globalThis)
  const isWindow = (value) => value === globalThis || value === window
  define('Window', { [Symbol.hasInstance]: isWindow })
  define('requestAnimationFrame', (callback) => setTimeout(() => callback(performance.now()), 1))
  define('cancelAnimationFrame', clearTimeout)
  define('requestIdleCallback', (callback) => setTimeout(callback, 1))
  define('ResizeObserver', SizeObserver)
  // Nothing is laid out, so that all elements are equally high: low enough for lists to scroll.
  Object.defineProperty(window.HTMLElement.prototype, 'clientHeight', { get: () => 160 })
  define('fetch', async (address) => new Response(readFileSync(fileOf(address?.url ?? address))))
  define('Worker', workerOf(fileOf))
  return window
}

/** Reports the size of each element once. */
class SizeObserver {
  constructor(callback) {
    this.callback = callback
  }

  observe(target) {
    setTimeout(() => this.callback([{ target, contentRect: target.getBoundingClientRect() }], this))
  }

  unobserve() {}

  disconnect() {}
}

const running = new Set()
/** Whether a worker has messages without an answer. A worker answers each message once. */
export const areWorkersBusy = () => [...running].some((worker) => worker.pending > 0)

/** The class of the workers of a page, which are threads. */
const workerOf = (fileOf) =>
  class extends EventTarget {
    #thread
    pending = 0

    constructor(address) {
      super()
      running.add(this)
      const workerData = { script: pathToFileURL(fileOf(address)).href }
      this.#thread = new Thread(new URL('./worker-in-node.mjs', import.meta.url), { workerData })
      this.#thread.on('message', (data) => {
        this.pending -= 1
        const event = new MessageEvent('message', { data })
        this.onmessage?.(event)
        this.dispatchEvent(event)
      })
    }

    postMessage(message) {
      this.pending += 1
      this.#thread.postMessage(message)
    }

    terminate() {
      running.delete(this)
      this.#thread.terminate()
    }
  }
