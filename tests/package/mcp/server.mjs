// The server as a process of its own, which a client speaks to by its standard streams.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { weatherServer } from './tools.mjs'

await weatherServer().server.connect(new StdioServerTransport())
