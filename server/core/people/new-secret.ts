import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits that identify a session, a token or a mailed link. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** The database stores a MAC over it: `row-seals.ts`. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
