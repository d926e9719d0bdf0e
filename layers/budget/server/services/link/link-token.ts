import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url, for a link or a session cookie. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The value that the database looks up. Any text can be hashed, so that malformed and unknown tokens cost the same. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The patient's page, relative to the instance's URL. */
export function linkPath(token: string): string {
  return `/p/budget/${encodeURIComponent(token)}`
}

/** The cookie of a link is sent only to the API of that link. */
export function cookiePath(token: string): string {
  return `/api/v1/public/budgets/${token}`
}
