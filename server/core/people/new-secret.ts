import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: what a session, a token or a mailed link is known by. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** The database keeps a MAC over it: `row-seals.ts`. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
