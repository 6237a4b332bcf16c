// A server that can be closed in an orderly way.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How long a closing server waits for open answers, in milliseconds. */
const PATIENCE = 1000

/** Makes a server listen; `giveUp` is called when closing it must end open requests. */
export const listenAt = async (server: Server, { port, host }: { port: number; host: string }, giveUp = () => {}) => {
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen({ port, host }, () => {
      server.off('error', fail)
      done()
    })
  })
  // It listens at a port, and not at a pipe.
  const { port: bound } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise<void>((done) => {
      const timer = setTimeout(() => {
        giveUp()
        server.closeAllConnections()
      }, PATIENCE)
      server.close(() => {
        clearTimeout(timer)
        done()
      })
      server.closeIdleConnections()
    })
    return closing
  }
  return { url: `http://${name}:${bound}`, port: bound, host, close }
}
