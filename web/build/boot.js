// Starts the workbench, or says in plain words that it did not start. Works without WebAssembly.
import { twoParts } from '../static/two-parts.js'

const element = (id) => document.getElementById(id)

function fail(reason) {
  element('failure-reason').textContent = String(reason)
  element('failure').hidden = false
}

const NO_DOCUMENT =
  document.documentElement.lang === 'de' ? 'auf diesem Gerät ist kein Dokument gespeichert' : 'no document is kept on this device'

// The newest document of this device, straight from the browser's database.
function newestDocument() {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open('transcript-workbench')
    // Without documents there is no database, and one without anything in it would be taken for one with them.
    open.onupgradeneeded = () => open.transaction.abort()
    open.onerror = () => reject(open.error?.name === 'AbortError' ? new Error(NO_DOCUMENT) : open.error)
    open.onsuccess = () => {
      const read = open.result.transaction(['documents', 'texts'])
      const names = read.objectStore('documents').getAll()
      const keys = read.objectStore('documents').getAllKeys()
      let found
      keys.onsuccess = () => {
        const newest = names.result.reduce((best, record, at) => (record.updated > (names.result[best]?.updated ?? -1) ? at : best), -1)
        if (newest < 0) return
        const text = read.objectStore('texts').get(keys.result[newest])
        text.onsuccess = () => (found = { name: names.result[newest].name, text: text.result })
      }
      read.oncomplete = () => (found ? resolve(found) : reject(new Error(NO_DOCUMENT)))
      read.onabort = () => reject(read.error)
    }
  })
}

element('failure-reload').addEventListener('click', () => location.reload())
element('failure-download').addEventListener('click', async () => {
  try {
    const { name, text } = await newestDocument()
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/yaml;charset=utf-8' }))
    link.download = name
    link.click()
  } catch (error) {
    fail(error)
  }
})

/** How long to leave the network and the processor to the first screen and the first document, in milliseconds. */
const OFFLINE_DELAY = 4_000

/** Caches the site for offline use, once the page is idle. A page inside another one is a guest and caches nothing. */
function keepOffline() {
  const { offline } = element('app').dataset
  const isGuest = window.top !== window || /[?&]embed=1(&|$)/.test(location.hash)
  if (!offline || isGuest || navigator.connection?.saveData) return
  // Without it the workbench works as well, only not without a network.
  // A name that esbuild does not look for among the files to bundle.
  const script = `./${offline}.js`
  const begin = () => import(script).then(({ begin }) => begin()).catch(() => {})
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(begin), OFFLINE_DELAY)
}

/** Loads the translation of the page. Without it the workbench is in English. */
async function translate() {
  const page = document.documentElement
  if (page.lang !== 'de') return
  try {
    globalThis.workbenchTranslation = (await import('__GERMAN__')).default
  } catch {
    page.lang = 'en'
  }
}

/** The time between two tries to load the rest of the module, in milliseconds. */
const RETRY_DELAY = 10_000
const REST = '__REST__'
const parts = twoParts(new URL(REST, import.meta.url))
globalThis.loadRest = parts.load
const keepLoading = () => parts.load().catch(() => setTimeout(keepLoading, RETRY_DELAY))
// The module calls it for a function of the rest. Without that it cannot go on.
globalThis.loadRestNow = (exports) => {
  try {
    parts.loadNow(exports)
  } catch (error) {
    fail(error)
    throw error
  }
}

// The first part has what the gallery and the editor need at the start. Another screen, a page inside another one and a document of
// another host wait for the rest. A development build has one part.
const { hash } = location
const startsWithFirst = /^#?$|^#\/gallery|^#\/edit\?d=(?:ex|l|z1):/.test(hash) && !/[?&](?:embed|ro)=/.test(hash)
const needsRest = REST !== '' && !startsWithFirst

try {
  const rest = needsRest && parts.fetchRest().catch(() => {})
  const [{ default: init }] = await Promise.all([import('__SCRIPT__'), translate(), rest])
  parts.started(await init({ module_or_path: new URL('__WASM__', import.meta.url) }))
  keepLoading()
  keepOffline()
} catch (error) {
  // A panic has shown its reason already; this is a file that did not load or a browser that is too old.
  if (element('failure').hidden) fail(error)
}
