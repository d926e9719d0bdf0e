import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: what a session, a token or a mailed link is known by. The database keeps only its SHA-256. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** What the database keeps and looks up. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
