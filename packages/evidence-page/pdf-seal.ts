import { fromHex, joined, same, sha256, toHex, type Bytes } from './bytes.ts'
import { child, childrenOf, readCertificate, readElement, SEQUENCE, SET, type Element } from './der.ts'
import { verifySignature, type Hash } from './verify-signature.ts'

const MESSAGE_DIGEST = '2a864886f70d010904'
const SIGNING_CERTIFICATE_V2 = '2a864886f70d010910022f'
const HASHES: Record<string, Hash> = {
  '608648016503040201': 'SHA-256', '608648016503040202': 'SHA-384', '608648016503040203': 'SHA-512'
}

/** `certificate`: SHA-256 of the sealing certificate. `ok` is null for a seal of an unknown kind. */
export interface Seal { ok: boolean | null, certificate: string | null }

/**
 * Checks a PDF's own signature (ETSI EN 319 142-1): that it covers every byte but itself, that its digest matches those
 * bytes, and that the key of the certificate that it names made it. It doesn't check whether to trust that certificate.
 */
export async function checkSeal(pdf: Bytes): Promise<Seal> {
  const found = findSeal(pdf)
  if (!found) return { ok: false, certificate: null }
  const { digest_algorithm, attributes, signature, certificate } = readSigned(fromHex(found.hex))
  const hash = HASHES[digest_algorithm]
  if (!hash) return { ok: null, certificate: null }

  const covers
    = same(await digestOf(hash, found.covered), valueOf(attributes, MESSAGE_DIGEST).content)
      && (await isNamed(certificate, attributes))
  // The attributes are signed as a plain SET (RFC 5652, 5.4).
  const data = joined(Uint8Array.of(SET), attributes.whole.subarray(1))
  const { public_key } = readCertificate(certificate)
  const holds = await verifySignature({ public_key, data, signature, hash })
  return { ok: covers ? holds : false, certificate: await sha256(certificate) }
}

const BYTE_RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g

/** The last signature, if it covers the whole file except its own hex digits. */
function findSeal(pdf: Bytes): { covered: Bytes, hex: string } | null {
  const text = new TextDecoder('latin1').decode(pdf)
  const range = [...text.matchAll(BYTE_RANGE)].at(-1)?.slice(1).map(Number)
  if (!range) return null
  const [start, length, second, rest] = range as [number, number, number, number]
  if (start !== 0 || length >= second || second + rest !== pdf.length) return null
  const hex = /^<([0-9a-f]+)>$/i.exec(text.slice(length, second))?.[1]
  return hex ? { covered: joined(pdf.subarray(0, length), pdf.subarray(second)), hex } : null
}

interface SignedData { digest_algorithm: string, attributes: Element, signature: Bytes, certificate: Bytes }

/** Parses ContentInfo → SignedData (RFC 5652, 5.1), its only signer, and the certificate that the signer names. */
function readSigned(cms: Bytes): SignedData {
  const [, , , ...rest] = childrenOf(child(child(readElement(cms), 1), 0))
  const certificates = childrenOf(rest.find(part => part.tag === 0xA0) ?? { content: new Uint8Array() })
  const [, signer, algorithm, attributes, , signature] = childrenOf(child(rest.at(-1)!, 0))
  const certificate = certificates.find(({ whole }) => signer && isOf(whole, signer))
  if (!algorithm || attributes?.tag !== 0xA0 || !signature || !certificate)
    throw new RangeError('this signature lacks a part')
  return {
    digest_algorithm: toHex(child(algorithm, 0).content),
    attributes,
    signature: signature.content,
    certificate: certificate.whole
  }
}

/** Whether the certificate is the one in the signer's `IssuerAndSerialNumber`. */
function isOf(certificate: Bytes, signer: Element): boolean {
  const { issuer, serial } = readCertificate(certificate)
  return same(issuer, child(signer, 0).whole) && same(serial, child(signer, 1).whole)
}

/**
 * The certificate must be the one whose hash was signed (RFC 5035, 3): another one for the same key could have other
 * names.
 */
async function isNamed(certificate: Bytes, attributes: Element): Promise<boolean> {
  const [first, second] = childrenOf(child(child(valueOf(attributes, SIGNING_CERTIFICATE_V2), 0), 0))
  const named
    = first?.tag === SEQUENCE
      ? { hash: HASHES[toHex(child(first, 0).content)], digest: second }
      : { hash: 'SHA-256' as const, digest: first }
  return (
    named.hash !== undefined
    && named.digest !== undefined
    && same(await digestOf(named.hash, certificate), named.digest.content)
  )
}

const digestOf = async (hash: Hash, bytes: Bytes) => new Uint8Array(await crypto.subtle.digest(hash, bytes))

/** The single value of a signed attribute. */
function valueOf(attributes: Element, type: string): Element {
  const attribute = childrenOf(attributes).find(part => toHex(child(part, 0).content) === type)
  if (!attribute) throw new RangeError('this signature lacks an attribute')
  return child(child(attribute, 1), 0)
}
