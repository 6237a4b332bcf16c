// The protocols of the vendors. The core reads and writes what they carry.
import * as responses from './response-references.js'
import * as threads from './thread-references.js'

/** References of a protocol whose requests have their whole history. */
const NO_REFERENCES = { resolveReferences: (request) => request, storeReferences: () => {} }

/** The end of the path, the name of the format, the key of the list of messages, and how requests refer to earlier ones. */
export const CHAT = { path: 'chat/completions', format: 'openai-chat', messagesKey: 'messages', ...NO_REFERENCES }
export const RESPONSES = { path: 'responses', format: 'openai-responses', messagesKey: 'input', ...responses }
export const ANTHROPIC = { path: 'messages', format: 'anthropic', messagesKey: 'messages', ...threads }

export const PROTOCOLS = [CHAT, RESPONSES, ANTHROPIC]
