import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

const rangeOf = (address: string) => ipaddr.isValid(address) ? ipaddr.process(address).range() : null

/** IPv4 also when it comes mapped into IPv6. */
export const isLoopback = (address: string): boolean => rangeOf(address) === 'loopback'

/** A name or address, of a URL or a setting, that leads nowhere but to this machine (RFC 6761 6.3). */
export const isThisMachine = (host: string): boolean =>
  /^(?:.+\.)?localhost$/i.test(host) || isLoopback(withoutBrackets(host))

/**
 * The host of a URL that people elsewhere cannot open: `0.0.0.0` and `::` mean this machine in a URL, and all addresses
 * in HOST.
 */
export const opensHereOnly = (host: string): boolean =>
  isThisMachine(host) || rangeOf(withoutBrackets(host)) === 'unspecified'

/** Names count as public, except for those of this machine. */
export function isPublicHost(host: string): boolean {
  const bare = withoutBrackets(host)
  return isIP(bare) ? rangeOf(bare) === 'unicast' : !isThisMachine(bare)
}
