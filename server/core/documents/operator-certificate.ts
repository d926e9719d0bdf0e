import { readFileSync } from 'node:fs'
import { webcrypto, X509Certificate, type KeyObject } from 'node:crypto'
import { ConfigError, type Config } from '../config.ts'
import type { SealingKey } from '../types.ts'
import { openPkcs12, Pkcs12Error, type Pkcs12 } from './pkcs12.ts'

const MIN_RSA_BITS = 2048
/** OpenSSL's names of the curves that WebCrypto, PDF readers and the evidence page all support. */
const CURVES: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384' }
const KEY_USAGE = '2.5.29.15'
/** Purposes of keys that don't sign documents: TLS servers, code signing, time stamps, OCSP. */
const OTHER_PURPOSES = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.3', '1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.9']

/**
 * The operator's certificate (`SVC_SEAL_P12`), read once; null if none is configured. An expired one is returned too:
 * the service runs with it, and only sealing waits. Throws ConfigError for a file that can never seal.
 */
export async function readOperatorCertificate({
  seal_p12,
  seal_password
}: Pick<Config, 'seal_p12' | 'seal_password'>): Promise<SealingKey | null> {
  if (!seal_p12) return null
  try {
    return await toSealingKey(await openPkcs12(readFileSync(seal_p12), seal_password ?? ''))
  } catch (error) {
    throw new ConfigError([`SVC_SEAL_P12 (${seal_p12}) ${explain(error)}`])
  }
}

function explain(error: unknown): string {
  if (error instanceof Pkcs12Error) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('E') && !code.startsWith('ERR_')) return `cannot be read: ${code}`
  throw error
}

interface Pair { key: KeyObject, certificate: X509Certificate }

async function toSealingKey({ keys, certificates }: Pkcs12): Promise<SealingKey> {
  if (keys.length === 0) throw new Pkcs12Error('has no private key: export it with its key')
  const known = certificates.map(der => new X509Certificate(der))
  const pairs = keys.flatMap(key =>
    known.filter(certificate => certificate.checkPrivateKey(key)).map(certificate => ({ key, certificate }))
  )
  if (pairs.length === 0) throw new Pkcs12Error('has no certificate for its private key')
  const pair = await firstForSignatures(pairs)
  return {
    certificate: new Uint8Array(pair.certificate.raw),
    chain: issuersOf(pair.certificate, known).map(({ raw }) => new Uint8Array(raw)),
    private_key: await importKey(pair.key),
    not_before: new Date(pair.certificate.validFrom),
    not_after: new Date(pair.certificate.validTo)
  }
}

/** Some files contain a key for authentication in addition to the one for signatures. */
async function firstForSignatures(pairs: Pair[]): Promise<Pair> {
  for (const pair of pairs) if (await maySign(pair.certificate)) return pair
  throw new Pkcs12Error(
    `holds a certificate (${pairs[0]!.certificate.subject.replaceAll('\n', ', ')}) that is not for signatures: its key usage names neither digitalSignature nor nonRepudiation, or only other purposes`
  )
}

/** RFC 5280 4.2.1.3 and 4.2.1.12: a certificate without these extensions may be used for any purpose. */
async function maySign({ raw, keyUsage: purposes }: X509Certificate): Promise<boolean> {
  const pkijs = await import('pkijs')
  const { extensions = [] } = pkijs.Certificate.fromBER(new Uint8Array(raw))
  const usage = extensions.find(({ extnID }) => extnID === KEY_USAGE)?.parsedValue as
    { valueBlock: { valueHexView: Uint8Array } } | undefined
  // DigitalSignature, nonRepudiation.
  const isForSignatures = !usage || ((usage.valueBlock.valueHexView[0] ?? 0) & 0b1100_0000) !== 0
  return isForSignatures && !(purposes?.length && purposes.every(purpose => OTHER_PURPOSES.includes(purpose)))
}

/** Nearest first, as far as the file contains them. */
function issuersOf(certificate: X509Certificate, known: readonly X509Certificate[]): X509Certificate[] {
  const others = known.filter(({ fingerprint256 }) => fingerprint256 !== certificate.fingerprint256)
  const issuer = others.find(other => certificate.checkIssued(other))
  return issuer ? [issuer, ...issuersOf(issuer, others)] : []
}

async function importKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const pkcs8 = new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }))
  return await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithmOf(key), false, ['sign'])
}

function algorithmOf({
  asymmetricKeyType,
  asymmetricKeyDetails
}: KeyObject): { name: string, hash: string } | { name: string, namedCurve: string } {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS)
    return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (asymmetricKeyType === 'ec' && CURVES[namedCurve]) return { name: 'ECDSA', namedCurve: CURVES[namedCurve] }
  const found = [asymmetricKeyType, namedCurve || (modulusLength ? `${modulusLength} bits` : '')]
    .filter(Boolean)
    .join(' ')
  throw new Pkcs12Error(
    `holds a key (${found}) that cannot seal: RSA of at least ${MIN_RSA_BITS} bits, P-256 and P-384 can`
  )
}
