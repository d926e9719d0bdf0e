import { createHash, webcrypto } from 'node:crypto'
import type { SealingKey } from '../types.ts'
import type { TimeStamps } from './time-stamp.ts'

const ID_DATA = '1.2.840.113549.1.7.1'
const ID_SIGNED_DATA = '1.2.840.113549.1.7.2'
const ATTRIBUTE = {
  content_type: '1.2.840.113549.1.9.3',
  message_digest: '1.2.840.113549.1.9.4',
  signing_certificate_v2: '1.2.840.113549.1.9.16.2.47',
  signature_time_stamp: '1.2.840.113549.1.9.16.2.14'
}

export interface Signed { /** DER. */ cms: Buffer, time_stamp: boolean }

/**
 * A detached CMS signature (RFC 5652) with the signed attributes of CAdES B-B (ETSI EN 319 122-1): content type,
 * message digest and the ESS signing certificate v2 (RFC 5035). No signing time: PAdES keeps it in the PDF.
 * With a token over the signature value as an unsigned attribute it is B-T.
 */
export async function signDetached(
  bytes: Uint8Array,
  { certificate, chain, private_key }: SealingKey,
  timeStamps: TimeStamps | null
): Promise<Signed> {
  const [pkijs, asn1js] = await Promise.all([import('pkijs'), import('asn1js')])
  pkijs.setEngine('node', new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as Crypto }))
  const content = new Uint8Array(bytes)
  const signer = pkijs.Certificate.fromBER(new Uint8Array(certificate))
  const octets = (value: Uint8Array) => new asn1js.OctetString({ valueHex: new Uint8Array(value) })
  const sequence = (...value: InstanceType<typeof asn1js.BaseBlock>[]) => new asn1js.Sequence({ value })
  const attribute = (type: string, value: unknown) => new pkijs.Attribute({ type, values: [value] })
  const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()

  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: ID_DATA }),
    certificates: [signer, ...chain.map(issuer => pkijs.Certificate.fromBER(new Uint8Array(issuer)))],
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer: signer.issuer, serialNumber: signer.serialNumber }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute(ATTRIBUTE.content_type, new asn1js.ObjectIdentifier({ value: ID_DATA })),
            attribute(ATTRIBUTE.message_digest, octets(sha256(content))),
            // SigningCertificateV2 → certs → ESSCertIDv2. The default algorithm, SHA-256, is omitted.
            attribute(ATTRIBUTE.signing_certificate_v2, sequence(sequence(sequence(octets(sha256(certificate))))))
          ]
        })
      })
    ]
  })
  await signed.sign(private_key as CryptoKey, 0, 'SHA-256', content)
  const info = signed.signerInfos[0]!
  const token = (await timeStamps?.(info.signature.valueBlock.valueHexView)) ?? null
  if (token) {
    const stamp = attribute(ATTRIBUTE.signature_time_stamp, asn1js.fromBER(token).result)
    info.unsignedAttrs = new pkijs.SignedAndUnsignedAttributes({ type: 1, attributes: [stamp] })
  }
  const cms = new pkijs.ContentInfo({ contentType: ID_SIGNED_DATA, content: signed.toSchema(true) })
    .toSchema()
    .toBER(false)
  return { cms: Buffer.from(cms), time_stamp: token !== null }
}
