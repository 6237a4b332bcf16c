// The server under test: real tools that count their runs.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** A dot of one pixel, as a PNG. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A server with the weather `read`, and the calls that its tools got. */
export const weatherServer = ({ read = () => ({ temp: 72, condition: 'sunny' }), wait = async () => {} } = {}) => {
  const ran = []
  const server = new McpServer({ name: 'weather', version: '1.0.0' })
  const add = (name, config, work) =>
    server.registerTool(name, config, async (args, extra) => {
      ran.push([name, args])
      return work(args, extra)
    })
  add(
    'weather',
    {
      description: 'The weather at a place',
      inputSchema: { location: z.string() },
      outputSchema: { temp: z.number(), condition: z.string() },
    },
    async ({ location }) => {
      await wait(location)
      const found = read(location)
      return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found }
    },
  )
  add('say', { description: 'Says it', inputSchema: { text: z.string() } }, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  add('draw', { description: 'Draws a dot', inputSchema: {} }, async () => ({
    content: [
      { type: 'text', text: 'A dot.' },
      { type: 'image', data: PIXEL, mimeType: 'image/png', annotations: { audience: ['user'] } },
      { type: 'resource', resource: { uri: 'file:///dot.png', mimeType: 'image/png', blob: PIXEL } },
      { type: 'resource_link', uri: 'file:///dot.txt', name: 'dot' },
    ],
    _meta: { 'example.org/drawn': true },
  }))
  add('fail', { description: 'Fails', inputSchema: {} }, async () => ({ content: [{ type: 'text', text: 'no station' }], isError: true }))
  add('forever', { description: 'Never ends', inputSchema: {} }, async (_input, { signal }) => {
    await new Promise((done) => signal.addEventListener('abort', done))
    return { content: [] }
  })
  server.registerResource('readme', 'file:///readme.txt', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'Read me' }] }))
  return { server, ran }
}
