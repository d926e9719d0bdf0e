import type { LookupFunction } from 'node:net'
import type { Address } from './address.ts'

/** Connects to these addresses only. Host and TLS name stay the URL's. */
export const pinnedTo = (addresses: Address[]): LookupFunction => (_name, options, done) => {
  if (options.all) done(null, addresses)
  else done(null, addresses[0]!.address, addresses[0]!.family)
}
