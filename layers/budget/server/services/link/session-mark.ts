import { createHash } from 'node:crypto'

/** Names a session in the log, so that a decision can be matched with the right code before it; opens nothing. */
export const sessionMark = (session_hash: Uint8Array): string =>
  createHash('sha256').update(session_hash).digest().subarray(0, 16).toString('base64url')
