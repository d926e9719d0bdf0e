import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { zipSync, type Zippable } from 'fflate'

/** By name, in the order of the ZIP. */
export type Files = Record<string, Uint8Array>

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Lower-case hex. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** RFC 8785, so that equal facts have equal bytes. */
export function canonical(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('there is nothing to write')
  return text
}

/**
 * Larger files are not compressed: it would take more time than the space is worth, and documents and pictures are
 * compressed already.
 */
const LARGE = 1_000_000
const UNIX = 3
const READABLE_FILE = 0o100644 << 16 >>> 0

/** All files have the same instant, so that the same files give the same ZIP. */
export function zip(files: Files, at: Date): Uint8Array {
  const packed: Zippable = Object.fromEntries(Object.entries(files).map(([name, bytes]) =>
    [name, [bytes, { level: bytes.length > LARGE || /\.(?:pdf|png)$/.test(name) ? 0 : 6 }]]))
  return zipSync(packed, { mtime: asLocal(at), os: UNIX, attrs: READABLE_FILE })
}

/** A ZIP has no time zone, and the library writes local time: the local parts of this date are those of UTC. */
function asLocal(at: Date): Date {
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds()
  )
}
