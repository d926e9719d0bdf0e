import { fromBase64, type Bytes } from './bytes.ts'

/** One element of DER (X.690): its tag, its content, and both with the length between. */
export interface Element { tag: number, content: Bytes, whole: Bytes }

export const SEQUENCE = 0x30
export const SET = 0x31

/** Reads the first element of the bytes and ignores the rest. Throws if it isn't DER. */
export function readElement(bytes: Bytes): Element {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) throw new RangeError('DER ends too early')
  const more = first < 0x80 ? 0 : first & 0x7F
  if (first === 0x80 || more > 4) throw new RangeError('DER of a length that is not known')
  const length = more === 0 ? first : bytes.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0)
  const from = 2 + more
  if (from + length > bytes.length) throw new RangeError('DER ends too early')
  return { tag, content: bytes.subarray(from, from + length), whole: bytes.subarray(0, from + length) }
}

/** The elements inside a sequence, a set or a context tag. */
export function childrenOf({ content }: Pick<Element, 'content'>): Element[] {
  const found: Element[] = []
  for (let at = 0; at < content.length;) {
    const element = readElement(content.subarray(at))
    found.push(element)
    at += element.whole.length
  }
  return found
}

/** The nth child; throws when there is none. */
export function child(element: Pick<Element, 'content'>, at: number): Element {
  const found = childrenOf(element)[at]
  if (!found) throw new RangeError('DER lacks a part')
  return found
}

/** The DER bytes of a PEM file with one certificate. */
export function derOfPem(text: string): Bytes {
  const body = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/.exec(text)?.[1]
  if (!body) throw new SyntaxError('this is no certificate')
  return fromBase64(body.replace(/\s/g, ''))
}

export interface Certificate { serial: Bytes, issuer: Bytes, /** SubjectPublicKeyInfo. */ public_key: Bytes }

/** RFC 5280, 4.1: the version is the only part that may be left out. */
export function readCertificate(der: Bytes): Certificate {
  const parts = childrenOf(child(readElement(der), 0))
  const [serial, , issuer, , , public_key] = parts[0]?.tag === 0xA0 ? parts.slice(1) : parts
  if (!serial || !issuer || !public_key) throw new RangeError('this certificate lacks a part')
  return { serial: serial.whole, issuer: issuer.whole, public_key: public_key.whole }
}
