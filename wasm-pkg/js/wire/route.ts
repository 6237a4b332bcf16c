// The protocol of an address, and the prefix before its own part.
import { ANTHROPIC, CHAT, PROTOCOLS, type Protocol } from './protocols.ts'

export const PATHS = PROTOCOLS.map(({ path }) => `POST …/${path}`).join(', ')

/** `{protocol, prefix}` of a path; without a protocol when it is no path of a model. */
export const routeOf = (path: string): { protocol: Protocol | undefined; prefix: string } => {
  const trimmed = path.replace(/\/+$/, '')
  for (const protocol of PROTOCOLS) {
    const found = new RegExp(`^(.*?)(?:/v1)?/${protocol.path}$`).exec(trimmed)
    if (found !== null) return { protocol, prefix: found[1]!.replace(/^\/+/, '') }
  }
  return { protocol: undefined, prefix: '' }
}

/** The protocol for the form of the error at an address that no protocol has. */
export const errorProtocol = (path: string, headers: Headers) =>
  /\/messages(\/|$)/.test(path) || headers.get('anthropic-version') !== null ? ANTHROPIC : CHAT
