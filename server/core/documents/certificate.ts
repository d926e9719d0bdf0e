import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { AnyTx, Ctx, Db, Logger } from '@svc/kit'
import { clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { rowsOf } from '../db/rows.ts'
import { CERTIFICATE as PURPOSE } from '../secrets.ts'
import type { SealingKey } from '../types.ts'

interface Dependencies { db: Db, config: Pick<Config, 'base_url'>, secrets: Ctx['secrets'], log: Logger }
interface Row { certificate: string, private_key: string, not_after: string }

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048
}
const YEARS = 10
/** A new one is created before the end: a document sealed on the last day would be worth little. */
const RENEW_BEFORE = '30 days'

/** The instance's certificate, created once for all processes at the first start, and valid for ten years. */
export async function ensureCertificate(dependencies: Dependencies): Promise<Row> {
  return await findCertificate(dependencies.db) ?? await createCertificate(dependencies)
}

/** Throws when the private key was sealed under another instance secret. */
export async function sealingKey(dependencies: Dependencies): Promise<SealingKey> {
  const row = await ensureCertificate(dependencies)
  const pkcs8 = new Uint8Array(dependencies.secrets.open(PURPOSE, row.private_key))
  const certificate = new Uint8Array(Buffer.from(row.certificate, 'base64'))
  return {
    certificate,
    chain: [],
    private_key: await webcrypto.subtle.importKey('pkcs8', pkcs8, RSA, false, ['sign']),
    not_before: new Date(new X509Certificate(certificate).validFrom),
    not_after: new Date(row.not_after)
  }
}

async function findCertificate(db: AnyTx): Promise<Row | undefined> {
  const [row] = await rowsOf<Row>(db, sql`
    select encode(certificate, 'base64') as certificate, private_key, to_char(not_after at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as not_after
    from core_certificate where not_after > now() + ${RENEW_BEFORE}::interval
    order by created_at desc, id limit 1`)
  return row
}

/** An advisory lock lets the first of many processes create it, and the others find it. */
async function createCertificate({ db, config, secrets, log }: Dependencies): Promise<Row> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('core_certificate'))`)
    const existing = await findCertificate(tx)
    if (existing) return existing
    const made = await selfSigned(new URL(config.base_url).hostname, await clock.now(tx))
    const sealed = secrets.seal(PURPOSE, made.pkcs8)
    await tx.execute(sql`
      insert into core_certificate (certificate, private_key, not_after)
      values (decode(${Buffer.from(made.certificate).toString('hex')}, 'hex'), ${sealed}, ${made.not_after}::timestamptz)`)
    log.info('certificate.created', { not_after: made.not_after })
    return {
      certificate: Buffer.from(made.certificate).toString('base64'),
      private_key: sealed,
      not_after: made.not_after
    }
  })
}

/** X.509 v3 for signatures only (RFC 5280): not a CA, digitalSignature and nonRepudiation. */
async function selfSigned(
  host: string,
  now: Date
): Promise<{ certificate: Uint8Array, pkcs8: Uint8Array, not_after: string }> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const keys = await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify'])
  const { from, to } = validity(now)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: `00${randomBytes(15).toString('hex')}`,
      name: [{ CN: [host] }, { O: ['Dental Budget Service'] }],
      notBefore: from,
      notAfter: to,
      signingAlgorithm: RSA,
      keys: keys as CryptoKeyPair,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation, true)
      ]
    },
    webcrypto as Crypto
  )
  return {
    certificate: new Uint8Array(certificate.rawData),
    pkcs8: new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
    not_after: to.toISOString()
  }
}

/** Valid from the start of the day before, so that a decision that had to wait for the first certificate is covered. */
function validity(now: Date): { from: Date, to: Date } {
  const from = new Date(now)
  from.setUTCHours(-24, 0, 0, 0)
  const to = new Date(from)
  to.setUTCFullYear(to.getUTCFullYear() + YEARS)
  return { from, to }
}
