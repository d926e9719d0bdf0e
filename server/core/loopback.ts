import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

const rangeOf = (address: string) => ipaddr.isValid(address) ? ipaddr.process(address).range() : null

/** Also for an IPv4 address mapped into IPv6. */
export const isLoopback = (address: string): boolean => rangeOf(address) === 'loopback'

/** A name or address in a URL or a setting that always means this machine (RFC 6761 6.3). */
export const isThisMachine = (host: string): boolean =>
  /^(?:.+\.)?localhost$/i.test(host) || isLoopback(withoutBrackets(host))

/**
 * The host of a URL that others cannot open: `0.0.0.0` and `::` mean this machine in a URL, but all addresses in HOST.
 */
export const opensHereOnly = (host: string): boolean =>
  isThisMachine(host) || rangeOf(withoutBrackets(host)) === 'unspecified'

/** Names count as public, except those of this machine. */
export function isPublicHost(host: string): boolean {
  const bare = withoutBrackets(host)
  return isIP(bare) ? rangeOf(bare) === 'unicast' : !isThisMachine(bare)
}
