import { problem } from '@svc/kit'
import { invalid } from '../http/validate.ts'

export interface Part { name: string, file_name: string | null, bytes: Uint8Array }

/**
 * The parts of a `multipart/form-data` body (RFC 7578), as views of it: the platform's `formData()` would hold a file
 * several times.
 */
export function partsOf(body: Uint8Array, content_type: string | undefined): Part[] {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(content_type ?? '')
  if (!boundary) throw problem('bad_request', { detail: 'The content type names no boundary.' })
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const mark = Buffer.from(`--${boundary[1] ?? boundary[2]}`, 'latin1')
  const parts: Part[] = []
  let at = bytes.indexOf(mark)
  while (at !== -1) {
    const start = at + mark.length
    if (bytes.subarray(start, start + 2).toString('latin1') === '--') return parts
    const end = bytes.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), start)
    const head = bytes.indexOf('\r\n\r\n', start)
    if (end === -1 || head === -1 || head > end) break
    const part = toPart(bytes.subarray(start, head).toString('utf8'), bytes.subarray(head + 4, Math.max(end, head + 4)))
    if (part) parts.push(part)
    at = end + 2
  }
  throw problem('bad_request', { detail: 'The multipart body ends too early.' })
}

function toPart(head: string, bytes: Uint8Array): Part | null {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? ''
  const name = /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) return null
  return { name, file_name: /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? null, bytes }
}

/** Throws `validation_failed`, and `payload_too_large` past `limit` bytes of the file. */
export function readUpload(parts: Part[], limit: number): { file_name: string, bytes: Uint8Array, mapping: unknown } {
  const unknown = parts.find(({ name }) => name !== 'file' && name !== 'mapping')
  if (unknown) throw invalid([{ pointer: `/${unknown.name}`, message: 'Unknown field.' }])
  const file = parts.find(({ name }) => name === 'file')
  if (!file) throw invalid([{ pointer: '/file', message: 'Required.' }])
  if (file.bytes.length > limit) throw problem('payload_too_large', { detail: 'The file is larger than 20 MB.' })
  const mapping = parts.find(({ name }) => name === 'mapping')
  return { file_name: plain(file.file_name ?? ''), bytes: file.bytes, mapping: mapping && toJson(mapping.bytes) }
}

const plain = (name: string) => name.replace(/[\p{C}\u2028\u2029]/gu, '').slice(-200) || 'file.csv'

function toJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw invalid([{ pointer: '/mapping', message: 'Not valid JSON.' }])
  }
}
