import { lookup as systemLookup } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { WebhookFailure } from '../../../shared/webhooks.ts'
import { showFailure, writeFailure } from './failure.ts'

export interface Address { address: string, family: 4 | 6 }
export type Lookup = (name: string) => Promise<Address[]>

/** Why a webhook cannot go to its address, in a sentence for the clinic. */
export class AddressError extends Error {
  override name = 'AddressError'
  /** As of `writeFailure`. */
  readonly failure: string
  constructor(code: WebhookFailure['code'], value: string | null = null) {
    const failure = writeFailure({ code, value })
    super(showFailure(failure).text!)
    this.failure = failure
  }
}

interface Rules {
  /** The operator's word: private and loopback addresses, and http. */ allow_private: boolean
  lookup?: Lookup
}

/**
 * The addresses that a webhook may be sent to: the name is asked once, all answers must be public, and the caller
 * connects to these and asks no more (a name could answer otherwise the second time). Throws AddressError.
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

/** URL's own parser has brought every spelling of an IPv4 address (0x7f.1, 2130706433) into the usual one. */
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
 * The system's own, which also knows the names of the hosts file and of containers. It cannot be broken off, only left.
 */
async function lookUp(name: string): Promise<Address[]> {
  const patience = new AbortController()
  const late = pause(DNS_LIMIT_MS, null, { signal: patience.signal }).then(() => {
    throw Object.assign(new Error('too late'), { code: 'ETIMEOUT' })
  })
  try {
    return await Promise.race([systemLookup(name, { all: true }) as Promise<Address[]>, late])
  } finally {
    late.catch(() => {}) // broken off, or reported already
    patience.abort()
  }
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') // RFC 4291 2.4: what of IPv6 is given out at all

/**
 * Only what the registries give out for everybody's use: no private, shared, local, translated, reserved or group
 * address.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text) // an IPv4 address in IPv6's clothes is judged as itself
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST)
}
