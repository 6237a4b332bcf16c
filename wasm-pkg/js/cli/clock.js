// Another clock for a thread: more than a year ahead, and by another count of milliseconds since the beginning.

import { createRequire, syncBuiltinESMExports } from 'node:module'

/** A little more than a year and a day, so that every part of a date is another one. */
const LATER = 34_567_890_123
/** How much of it the process counts as having run for itself; its beginning is as much later as is left. */
const RUNNING = 1_234_567_891

/** Sets a property aside for another, of the same kind. */
const put = (object, name, made) => {
  const before = Object.getOwnPropertyDescriptor(object, name)
  Object.defineProperty(object, name, { configurable: true, writable: true, enumerable: before?.enumerable ?? false, value: made })
}

const shiftDate = () => {
  const clock = Date
  const now = clock.now.bind(clock)
  put(clock, 'now', () => now() + LATER)
  const shifted = new Proxy(clock, {
    apply: () => new clock(clock.now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, made),
  })
  put(clock.prototype, 'constructor', shifted)
  globalThis.Date = shifted
}

/** A format of no date is one of the present. */
const shiftFormats = () => {
  const { prototype } = Intl.DateTimeFormat
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format')
  const bound = new WeakMap()
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get() {
      const format = get.call(this)
      if (!bound.has(this)) bound.set(this, (date) => format(date === undefined ? Date.now() : date))
      return bound.get(this)
    },
  })
  const parts = prototype.formatToParts
  put(prototype, 'formatToParts', function formatToParts(date) {
    return parts.call(this, date === undefined ? Date.now() : date)
  })
}

const shiftPerformance = () => {
  const { timeOrigin } = performance
  const [now, mark] = [performance.now.bind(performance), performance.mark.bind(performance)]
  put(performance, 'now', () => now() + RUNNING)
  put(performance, 'timeOrigin', timeOrigin + LATER - RUNNING)
  put(performance, 'mark', (name, options) => mark(name, { startTime: performance.now(), ...options }))
}

const shiftProcess = () => {
  const [hrtime, uptime] = [process.hrtime, process.uptime.bind(process)]
  const ticks = () => hrtime.bigint() + BigInt(RUNNING) * 1_000_000n
  const shifted = (before) => {
    const [seconds, rest] = [ticks() / 1_000_000_000n, ticks() % 1_000_000_000n].map(Number)
    if (before === undefined) return [seconds, rest]
    const passed = (seconds - before[0]) * 1e9 + rest - before[1]
    return [Math.floor(passed / 1e9), passed % 1e9]
  }
  process.hrtime = Object.assign(shifted, { bigint: ticks })
  process.uptime = () => uptime() + RUNNING / 1000
  const os = createRequire(import.meta.url)('node:os')
  const running = os.uptime
  os.uptime = () => running() + RUNNING / 1000
}

/** The present of `Temporal`, where there is one. */
const shiftTemporal = () => {
  const present = globalThis.Temporal?.Now
  if (present === undefined) return
  const instant = present.instant.bind(present)
  const later = () => instant().add({ milliseconds: LATER })
  const zoned = (zone = present.timeZoneId()) => later().toZonedDateTimeISO(zone)
  const plain = { plainDateTimeISO: 'toPlainDateTime', plainDateISO: 'toPlainDate', plainTimeISO: 'toPlainTime' }
  put(present, 'instant', later)
  put(present, 'zonedDateTimeISO', zoned)
  for (const [name, method] of Object.entries(plain)) put(present, name, (zone) => zoned(zone)[method]())
}

/** Shifts all clocks of this thread that JavaScript and Node have. */
export const shiftClocks = () => {
  shiftDate()
  shiftFormats()
  shiftPerformance()
  shiftProcess()
  shiftTemporal()
  syncBuiltinESMExports()
}
