/** WebCrypto takes no bytes that other threads may share. */
export type Bytes = Uint8Array<ArrayBuffer>
/** By name. */
export type Files = ReadonlyMap<string, Bytes>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)
/** Keeps every byte, including a byte order mark. Throws if the bytes aren't UTF-8. */
export const textOf = (bytes: Bytes): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

/** Throws if the text isn't base64. */
export const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0))

export const toBase64 = (bytes: Bytes): string => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

export function fromHex(text: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new SyntaxError('this is no hex')
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}

export const sha256 = async (bytes: Bytes): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

export const same = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

export function joined(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
