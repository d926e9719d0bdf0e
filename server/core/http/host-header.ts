import type { IncomingMessage } from 'node:http'

/** A name or an address, and a port (RFC 3986 3.2.2). Empty is allowed: the request's target may have no authority. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/**
 * False is a 400 (RFC 9112 3.2): there are two hosts, an invalid one, or none in HTTP/1.1. With two hosts, a proxy in
 * front might have used the other one.
 */
export function hasOneHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion !== '1.1'
  const first = rawHeaders.findIndex(isHost)
  return HOST.test(headers.host) && !rawHeaders.some((name, at) => at > first && isHost(name, at))
}

/** `rawHeaders` alternates names and values. */
const isHost = (name: string, at: number) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host'
