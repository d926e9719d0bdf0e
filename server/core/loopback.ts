import ipaddr from 'ipaddr.js'

/** IPv4 also when it comes mapped into IPv6. */
export const isLoopback = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Of a URL: an address or a name that leads nowhere but to this machine (RFC 6761 6.3). */
export const isThisMachine = (hostname: string): boolean => /^(?:.+\.)?localhost$/i.test(hostname) || isLoopback(hostname.replace(/^\[|\]$/g, ''))
