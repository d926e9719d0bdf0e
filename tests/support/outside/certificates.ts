import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, webcrypto } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

export { x509 } // after the polyfill that it needs

/** A missing tool may skip a test, but not with CI=true. */
export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined || process.env.CI === 'true'
if (!hasOpenssl) console.warn('openssl is missing: operators\' certificates and time stamps are not tested')

export interface Made { certificate: string, key: string, x509: x509.X509Certificate, keys: CryptoKeyPair }
export type KeyKind = 'RSA-2048' | 'RSA-1024' | 'P-256' | 'P-384' | 'P-521' | 'Ed25519'

const DAY = 24 * 60 * 60 * 1000
export const inDays = (days: number) => new Date(Math.floor((Date.now() + days * DAY) / 1000) * 1000)

interface CertificateInput {
  name?: string
  kind?: KeyKind
  issuer?: Made
  from?: Date
  to?: Date
  /** Key usages; null leaves the extension out. */
  usage?: x509.KeyUsageFlags | null
  /** Extended key usages. */
  purposes?: string[]
  ca?: boolean
}

function algorithmOf(kind: KeyKind): any {
  if (kind.startsWith('RSA'))
    return {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      publicExponent: new Uint8Array([1, 0, 1]),
      modulusLength: Number(kind.slice(4))
    }
  return kind === 'Ed25519' ? { name: kind } : { name: 'ECDSA', namedCurve: kind, hash: 'SHA-256' }
}

/** A certificate and its key, as PEM. Self-signed unless it has an issuer. */
export async function aCertificate(input: CertificateInput = {}): Promise<Made> {
  const {
    name = 'Clinic Seal',
    kind = 'P-256',
    issuer,
    from = inDays(-1),
    to = inDays(365),
    usage = x509.KeyUsageFlags.digitalSignature,
    purposes,
    ca = false
  } = input
  const keys = await webcrypto.subtle.generateKey(algorithmOf(kind), true, ['sign', 'verify']) as CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `00${randomBytes(12).toString('hex')}`,
    subject: `CN=${name}`,
    issuer: issuer?.x509.subject ?? `CN=${name}`,
    notBefore: from,
    notAfter: to,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: { ...(issuer?.keys.privateKey ?? keys.privateKey).algorithm, hash: 'SHA-256' } as any,
    extensions: [
      new x509.BasicConstraintsExtension(ca, undefined, true),
      ...usage === null ? [] : [new x509.KeyUsagesExtension(ca ? x509.KeyUsageFlags.keyCertSign : usage, true)],
      ...purposes ? [new x509.ExtendedKeyUsageExtension(purposes, true)] : []
    ]
  }, webcrypto as Crypto)
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    x509: certificate,
    keys
  }
}

/** A folder of PKCS #12 files, created with `openssl` as an operator would. */
export function pkcs12Folder() {
  const path = mkdtempSync(join(tmpdir(), 'svc-p12-'))
  const put = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(path, name), text)
    return join(path, name)
  }
  return {
    path,
    put,
    close: () => rmSync(path, { recursive: true, force: true }),
    /** `flags` are additional ones of `openssl pkcs12 -export`. */
    pkcs12({
      certificates,
      key,
      password = 'pass word',
      flags = [],
      name = 'seal.p12'
    }: {
      certificates: string[]
      key?: string
      password?: string
      flags?: string[]
      name?: string
    }): string {
      const file = join(path, name)
      const input = put('input.pem', [...(key ? [key] : []), ...certificates].join('\n'))
      execFileSync(
        'openssl',
        [
          'pkcs12',
          '-export',
          ...(key ? [] : ['-nokeys']),
          '-in',
          input,
          '-passout',
          `pass:${password}`,
          '-out',
          file,
          ...flags
        ],
        { stdio: 'pipe' }
      )
      return file
    }
  }
}
