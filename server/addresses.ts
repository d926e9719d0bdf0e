import addresses from '#svc/addresses'
import { createAddresses } from './match-address.ts'

/** Whether a page or the server itself answers a GET of this path, outside /api/v1. Files are checked elsewhere. */
export const isAddress = createAddresses(addresses)
