// Another origin on loopback, which a test fills with answers, and which lists its requests.
import { createServer } from 'node:http'

/** Serves `answers`, a map of paths to functions of the request and the response; `requests` has every request. */
export async function otherOrigin(answers) {
  const requests = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { pathname } = new URL(request.url, 'http://localhost')
    requests.push({ method: request.method, path: pathname, headers: request.headers, body })
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    const answer = answers[pathname]
    if (!answer) return response.writeHead(404).end('nothing here')
    return answer({ request, response, body })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

/** An answer that is that text. */
export const text =
  (body, type = 'text/plain; charset=utf-8') =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body)
