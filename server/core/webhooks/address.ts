import { lookup as systemLookup } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { WebhookFailure } from '../../../shared/webhooks.ts'
import { showFailure, writeFailure } from './failure.ts'

export interface Address { address: string, family: 4 | 6 }
export type Lookup = (name: string) => Promise<Address[]>

/** Why a webhook cannot be sent to its URL, as a sentence for the clinic. */
export class AddressError extends Error {
  override name = 'AddressError'
  readonly code: WebhookFailure['code']
  /** As returned by `writeFailure`. */
  readonly failure: string
  constructor(code: WebhookFailure['code'], value: string | null = null) {
    const failure = writeFailure({ code, value })
    super(showFailure(failure).text!)
    this.code = code
    this.failure = failure
  }
}

interface Rules {
  /** Whether the operator allows private and loopback addresses, and http. */ allow_private: boolean
  lookup?: Lookup
}

/**
 * The addresses to which a webhook may be sent. The name is resolved once, all addresses must be public, and the caller
 * connects only to these, because the name could resolve differently a second time. Throws AddressError.
 */
export async function findTarget(url: string, { allow_private, lookup = lookUp }: Rules): Promise<Address[]> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !allow_private) throw new AddressError('not_https')
  const addresses = await addressesOf(hostname, lookup)
  if (!allow_private && !addresses.every(({ address }) => isPublic(address))) {
    throw new AddressError('private_address')
  }
  return addresses
}

/** URL's parser has already normalized every spelling of an IPv4 address (0x7f.1, 2130706433). */
async function addressesOf(hostname: string, lookup: Lookup): Promise<Address[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal)) return [{ address: literal, family: ipaddr.parse(literal).kind() === 'ipv6' ? 6 : 4 }]
  const found = await lookup(hostname).catch((error: NodeJS.ErrnoException) => {
    throw new AddressError('unresolved', error.code ? `${hostname} (${error.code})` : hostname)
  })
  if (found.length === 0) throw new AddressError('no_address', hostname)
  return found
}

const DNS_LIMIT_MS = 5000

/**
 * The system's resolver, which also uses the hosts file and the names of containers. It cannot be aborted, only
 * ignored.
 */
async function lookUp(name: string): Promise<Address[]> {
  const timer = new AbortController()
  const late = pause(DNS_LIMIT_MS, null, { signal: timer.signal }).then(() => {
    throw Object.assign(new Error('too late'), { code: 'ETIMEOUT' })
  })
  try {
    return await Promise.race([systemLookup(name, { all: true }) as Promise<Address[]>, late])
  } finally {
    late.catch(() => {}) // aborted, or already reported
    timer.abort()
  }
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') // RFC 4291 2.4: what of IPv6 is given out at all

/**
 * Only addresses that the registries assign for public use: no private, shared, local, translated, reserved or
 * multicast address.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text) // an IPv4 address mapped into IPv6 is checked as IPv4
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST)
}
