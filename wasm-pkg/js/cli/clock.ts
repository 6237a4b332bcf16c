// Another clock for a thread: more than a year ahead, and by another count of milliseconds since the beginning.

import { createRequire, syncBuiltinESMExports } from 'node:module'

/** A little more than a year and a day, so that every part of a date is another one. */
const SHIFT_MS = 34_567_890_123
/** How much of it the process counts as having run for itself; its beginning is as much later as is left. */
const UPTIME_MS = 1_234_567_891

/** Replaces a property by another of the same kind. */
const replaceProperty = (object: object, name: string, replacement: unknown) => {
  const before = Object.getOwnPropertyDescriptor(object, name)
  Object.defineProperty(object, name, { configurable: true, writable: true, enumerable: before?.enumerable ?? false, value: replacement })
}

const shiftDate = () => {
  const clock = Date
  const now = clock.now.bind(clock)
  replaceProperty(clock, 'now', () => now() + SHIFT_MS)
  const shifted = new Proxy(clock, {
    apply: () => new clock(clock.now()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
  })
  replaceProperty(clock.prototype, 'constructor', shifted)
  globalThis.Date = shifted
}

type Format = Intl.DateTimeFormat['format']
type Moment = Parameters<Format>[0]

/** A format of no date is one of the present. */
const shiftFormats = () => {
  const { prototype } = Intl.DateTimeFormat
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format')!
  const bound = new WeakMap<object, Format>()
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get() {
      const format: Format = get!.call(this)
      if (!bound.has(this)) bound.set(this, (date: Moment) => format(date === undefined ? Date.now() : date))
      return bound.get(this)
    },
  })
  const parts = prototype.formatToParts
  replaceProperty(prototype, 'formatToParts', function formatToParts(this: Intl.DateTimeFormat, date: Moment) {
    return parts.call(this, date === undefined ? Date.now() : date)
  })
}

const shiftPerformance = () => {
  const { timeOrigin } = performance
  const [now, mark] = [performance.now.bind(performance), performance.mark.bind(performance)]
  replaceProperty(performance, 'now', () => now() + UPTIME_MS)
  replaceProperty(performance, 'timeOrigin', timeOrigin + SHIFT_MS - UPTIME_MS)
  replaceProperty(performance, 'mark', (name: string, options?: PerformanceMarkOptions) =>
    mark(name, { startTime: performance.now(), ...options }),
  )
}

const shiftProcess = () => {
  const [hrtime, uptime] = [process.hrtime, process.uptime.bind(process)]
  const ticks = () => hrtime.bigint() + BigInt(UPTIME_MS) * 1_000_000n
  const shifted = (before?: [number, number]): [number, number] => {
    const [seconds, rest] = [ticks() / 1_000_000_000n, ticks() % 1_000_000_000n].map(Number) as [number, number]
    if (before === undefined) return [seconds, rest]
    const passed = (seconds - before[0]) * 1e9 + rest - before[1]
    return [Math.floor(passed / 1e9), passed % 1e9]
  }
  process.hrtime = Object.assign(shifted, { bigint: ticks })
  process.uptime = () => uptime() + UPTIME_MS / 1000
  const os: { uptime: () => number } = createRequire(import.meta.url)('node:os')
  const running = os.uptime
  os.uptime = () => running() + UPTIME_MS / 1000
}

/** The used part of a moment of `Temporal`. */
interface Instant {
  add(duration: { milliseconds: number }): Instant
  toZonedDateTimeISO(zone: string): { [method: string]: () => unknown }
}

/** The used part of `Temporal.Now`. */
interface Present {
  instant(): Instant
  timeZoneId(): string
}

/** The present of `Temporal`, where there is one. */
const shiftTemporal = () => {
  const present = (globalThis as { Temporal?: { Now: Present } }).Temporal?.Now
  if (present === undefined) return
  const instant = present.instant.bind(present)
  const shiftedInstant = () => instant().add({ milliseconds: SHIFT_MS })
  const zoned = (zone = present.timeZoneId()) => shiftedInstant().toZonedDateTimeISO(zone)
  const plain = { plainDateTimeISO: 'toPlainDateTime', plainDateISO: 'toPlainDate', plainTimeISO: 'toPlainTime' }
  replaceProperty(present, 'instant', shiftedInstant)
  replaceProperty(present, 'zonedDateTimeISO', zoned)
  for (const [name, method] of Object.entries(plain)) replaceProperty(present, name, (zone?: string) => zoned(zone)[method]!())
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
