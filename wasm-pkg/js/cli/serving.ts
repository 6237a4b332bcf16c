// What the commands that listen have in common: where, and until when.
import { UsageError } from './failure.ts'

/** The default port. */
export const PORT = 4747

const MOST = 65535

/** Where a server listens. */
export interface Address {
  host: string
  port: number
}

/** Reads `HOST:PORT`, `HOST` or `PORT`. */
const read = (listen: string): Address => {
  const found = /^(?:(\[[^\]]+\]|[^:]*?):?)?(\d{1,5})?$/.exec(listen)
  const [, host = '', port = PORT] = /^\d+$/.test(listen) ? [listen, '', listen] : (found ?? [])
  if (found === null || Number(port) > MOST) throw new UsageError(`\`--listen\` takes HOST:PORT, HOST or PORT, but got \`${listen}\``)
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) }
}

/** Where to listen, by `--listen` or `--port`. */
export const listenAddress = ({ listen, port = PORT }: { listen?: string; port?: number }): Address => {
  if (port > MOST) throw new UsageError(`\`--port\` takes a number up to ${MOST}, but got \`${port}\``)
  if (listen === undefined) return { host: '127.0.0.1', port }
  if (port !== PORT) throw new UsageError('`--port` and `--listen` cannot be used together')
  return read(listen)
}

/** Waits for a signal to stop; the second signal ends the program at once. */
export const untilStopped = () =>
  new Promise<NodeJS.Signals>((done) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      done(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })

/** Starts to listen, or reports why that fails. */
export const startListening = async <Server>(open: () => Promise<Server>, { host, port }: Address) => {
  try {
    return await open()
  } catch (error) {
    if ((error as NodeJS.ErrnoException)?.code === 'EADDRINUSE')
      throw new UsageError(`${host}:${port} is in use`, 'choose another one with --port; 0 takes any free port')
    if (['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes((error as NodeJS.ErrnoException)?.code ?? ''))
      throw new UsageError(`cannot listen on ${host}:${port}: ${(error as Error).message}`)
    throw error
  }
}
