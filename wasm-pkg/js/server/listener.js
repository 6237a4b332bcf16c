// A server that can be closed in an orderly way.

/** How long a closing server waits for answers that are under way, in milliseconds. */
const PATIENCE = 1000

/** Has a server listen; `giveUp` is called when closing it has to end what is under way. */
export const listenAt = async (server, { port, host }, giveUp = () => {}) => {
  await new Promise((done, fail) => {
    server.once('error', fail)
    server.listen({ port, host }, () => {
      server.off('error', fail)
      done()
    })
  })
  const { port: bound } = server.address()
  const name = host.includes(':') ? `[${host}]` : host
  let closing
  const close = () => {
    closing ??= new Promise((done) => {
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
