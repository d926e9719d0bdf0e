import { joined, toHex, type Bytes } from './bytes.ts'
import { child, childrenOf, readElement } from './der.ts'

export type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512'

const RSA = '2a864886f70d010101'
const CURVES: Record<string, { namedCurve: string, size: number }> = {
  '2a8648ce3d030107': { namedCurve: 'P-256', size: 32 },
  '2b81040022': { namedCurve: 'P-384', size: 48 },
  '2b81040023': { namedCurve: 'P-521', size: 66 }
}

interface Signed { public_key: Bytes, data: Bytes, signature: Bytes, hash?: Hash }

/**
 * Verifies an RSA (PKCS #1 v1.5) or ECDSA signature, depending on the key. ECDSA signatures are DER. Returns null for
 * an unknown kind of key.
 */
export async function verifySignature({
  public_key,
  data,
  signature,
  hash = 'SHA-256'
}: Signed): Promise<boolean | null> {
  const kind = childrenOf(child(readElement(public_key), 0)).map(part => toHex(part.content))
  if (kind[0] === RSA) {
    const key = await crypto.subtle.importKey('spki', public_key, { name: 'RSASSA-PKCS1-v1_5', hash }, false, [
      'verify'
    ])
    return await crypto.subtle.verify('RSASSA-PKCS1-v1_5', key, signature, data)
  }
  const curve = CURVES[kind[1] ?? '']
  if (!curve) return null
  const key = await crypto.subtle.importKey(
    'spki',
    public_key,
    { name: 'ECDSA', namedCurve: curve.namedCurve },
    false,
    ['verify']
  )
  return await crypto.subtle.verify({ name: 'ECDSA', hash }, key, sideBySide(signature, curve.size), data)
}

/**
 * Converts an ECDSA signature from DER to WebCrypto's form: its two numbers one after the other, each with the length
 * of the curve's numbers.
 */
function sideBySide(der: Bytes, size: number): Bytes {
  return joined(...childrenOf(readElement(der)).map(({ content }) => {
    const digits = content.subarray(content.findIndex(byte => byte !== 0))
    if (digits.length > size) throw new RangeError('a number of the signature is too long')
    return joined(new Uint8Array(size - digits.length), digits)
  }))
}
