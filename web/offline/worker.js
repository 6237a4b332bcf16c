// Caches the site, so that it works without a network. Files whose names change with their content come from
// here first; the page itself comes from the network first, so that a new version is seen at once.
const FILES = __FILES__
const PAGE = './'
// The same origin may have another copy of the site.
const PREFIX = `transcript-workbench ${registration.scope} `
const NAME = PREFIX + '__VERSION__'
/** How long the network may take for the page, in milliseconds, when it is cached. */
const PATIENCE = 4_000

const address = (file) => new URL(file, registration.scope).href
const known = new Set(FILES.map(address))

addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(NAME).then(async (cache) => {
      // The page has to be the one that goes with these files.
      await cache.add(new Request(address(PAGE), { cache: 'reload' }))
      await cache.addAll(FILES.map(address))
    }),
  )
})

addEventListener('activate', (event) => {
  const old = (name) => name.startsWith(PREFIX) && name !== NAME
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))))
})

const kept = async (request) => (await caches.open(NAME)).match(request, { ignoreSearch: true })

/** The page: from the network, unless that fails or takes too long. */
async function page(request) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE))
  const fetched = fetch(request).then(
    (response) => (response.ok ? response : undefined),
    () => undefined,
  )
  const first = await Promise.race([fetched, late])
  return first ?? (await kept(address(PAGE))) ?? (await fetched) ?? Response.error()
}

/** What may change under its name, such as the documentation: as it was last seen, when there is no network. */
async function other(request) {
  const cache = await caches.open(NAME)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch {
    return (await cache.match(request)) ?? Response.error()
  }
}

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  url.hash = ''
  if (request.method !== 'GET' || !url.href.startsWith(registration.scope)) return
  const place = url.href.slice(registration.scope.length)
  if (request.mode === 'navigate' && (place === '' || place === 'index.html')) event.respondWith(page(request))
  else if (known.has(url.href)) event.respondWith(kept(request).then((response) => response ?? fetch(request)))
  else if (!place.startsWith('api/')) event.respondWith(other(request))
})

// The page asks whether it is of this version, and says when a person wants it.
addEventListener('message', ({ data, ports: [port] }) => {
  if (data === 'take over') skipWaiting()
  else if (Array.isArray(data)) port?.postMessage(data.every((file) => known.has(file)))
})
