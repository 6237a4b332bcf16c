// Caches the site, and reports a new version. Loaded when the first screen has been idle.
const worker = './__WORKER__'

/** The files of the page: names that change with their content. */
const own = () => [...document.querySelectorAll('link[rel="stylesheet"], script[src]')].map((element) => element.href || element.src)

/** Whether that version is the one of this page, which came from the network before its files were kept. */
const isOwn = (version) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    version.postMessage(own(), [port2])
  })

/** Has the browser offer to install the page. */
function installable() {
  const manifest = document.createElement('link')
  Object.assign(manifest, { rel: 'manifest', href: './manifest.webmanifest' })
  document.head.append(manifest)
}

async function tell(version) {
  if (!version || !navigator.serviceWorker.controller || (await isOwn(version))) return
  dispatchEvent(new CustomEvent('workbench-outdated'))
  addEventListener(
    'workbench-renew',
    () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      version.postMessage('take over')
    },
    { once: true },
  )
}

export async function begin() {
  installable()
  const registration = await navigator.serviceWorker?.register(worker, { updateViaCache: 'none' }).catch(() => undefined)
  if (!registration) return
  registration.addEventListener('updatefound', () => {
    const version = registration.installing
    version?.addEventListener('statechange', () => {
      if (version.state === 'installed') tell(version)
    })
  })
  tell(registration.waiting)
  // A tab may stay open for days.
  let last = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - last < 3_600_000) return
    last = Date.now()
    registration.update().catch(() => {})
  })
}
