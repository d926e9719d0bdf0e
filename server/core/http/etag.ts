import { problem } from '@svc/kit'

const tags = (header: string) => header.split(',').map(tag => tag.trim())

/** `If-Match` is optional; when it is sent and names another version, `precondition_failed` (RFC 9110, 13.1.1). */
export function requireMatch(header: string | undefined, etag: string): void {
  if (header === undefined || header.trim() === '*' || tags(header).includes(etag)) return
  throw problem('precondition_failed')
}

/** RFC 9110, 13.1.2: weak comparison. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === '*' || tags(header).some(tag => tag.replace(/^W\//, '') === etag))
}
