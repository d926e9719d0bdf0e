import { createHash } from 'node:crypto'

/**
 * Identifies a session in the log, so that a decision can be matched with the correct code before it. It opens nothing.
 */
export const sessionMark = (session_hash: Uint8Array): string =>
  createHash('sha256').update(session_hash).digest().subarray(0, 16).toString('base64url')
