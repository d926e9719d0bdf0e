import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url: what a link or a session cookie carries. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What the database keeps of it. Anything a stranger sends can be looked up, so malformed and unknown ones cost the
 * same.
 */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The page a person opens, below the instance's address. */
export function linkPath(token: string): string {
  return `/p/budget/${encodeURIComponent(token)}`
}

/** The cookie of a link reaches its own API and nothing else. */
export function cookiePath(token: string): string {
  return `/api/v1/public/budgets/${token}`
}
