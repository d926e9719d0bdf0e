import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import type { Certificate, Ctx, Db, Logger } from '@svc/kit'
import { clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { signDetached } from './cades.ts'
import { sealingKey } from './certificate.ts'
import type { SealingKey } from '../types.ts'
import { createTimeStamps, MAX_TOKEN_BYTES, type TimeStamps } from './time-stamp.ts'

interface Dependencies {
  db: Db
  config: Pick<Config, 'base_url' | 'tsa_url'>
  secrets: Ctx['secrets']
  log: Logger
  /** The operator's certificate; null: the instance's own. */
  operator: SealingKey | null
}

/** Bytes reserved for a signature of up to 4096 bits and its attributes; certificates and a time stamp are added. */
const SIGNATURE_BYTES = 3072
const DAY = 24 * 60 * 60 * 1000

export function createDocuments(dependencies: Dependencies): Ctx['documents'] {
  const timeStamps = createTimeStamps(dependencies.config, dependencies.log)
  let loading: Promise<SealingKey> | null = null

  async function key(): Promise<SealingKey> {
    if (dependencies.operator) return dependencies.operator
    loading ??= sealingKey(dependencies)
    try {
      const loaded = await loading
      if (loaded.not_after.getTime() - (await clock.now(dependencies.db)).getTime() > 29 * DAY) return loaded
      loading = sealingKey(dependencies)
      return await loading
    } catch (error) {
      loading = null // the database was unreachable: the next document tries again
      throw error
    }
  }

  return {
    seal: async (pdf, about) =>
      await seal(pdf, about, { key: assertValidAt(await key(), await clock.now(dependencies.db)), timeStamps }),
    certificate: async () => describe(await key()),
    sign: async bytes => await sign(bytes, await key())
  }
}

/** A seal outside its certificate's validity is worthless, so the document waits for a valid certificate. */
function assertValidAt(key: SealingKey, now: Date): SealingKey {
  if (now >= key.not_after)
    throw new Error(
      `The certificate that seals documents expired on ${dayOf(key.not_after)}: put a valid one where SVC_SEAL_P12 says and restart`
    )
  if (now < key.not_before)
    throw new Error(`The certificate that seals documents is valid from ${dayOf(key.not_before)} on, not yet`)
  return key
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

function describe({ certificate, not_after }: SealingKey): Certificate {
  const read = new X509Certificate(certificate)
  return {
    pem: read.toString(),
    sha256: createHash('sha256').update(certificate).digest('hex'),
    spki: new Uint8Array(read.publicKey.export({ type: 'spki', format: 'der' })),
    subject: read.subject.split('\n').join(', '),
    not_after
  }
}

/** In WebCrypto's form: an ECDSA signature is the two numbers one after the other, not the SEQUENCE of CMS. */
async function sign(bytes: Uint8Array, { private_key }: SealingKey): ReturnType<Ctx['documents']['sign']> {
  const { name, namedCurve } = private_key.algorithm as webcrypto.EcKeyAlgorithm
  const signature = await webcrypto.subtle.sign({ name, hash: 'SHA-256' }, private_key, new Uint8Array(bytes))
  return {
    algorithm: name === 'ECDSA' ? 'ECDSA' : 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    ...(name === 'ECDSA' ? { named_curve: namedCurve } : {}),
    signature: new Uint8Array(signature)
  }
}

/**
 * PAdES (ETSI EN 319 142-1): an invisible signature over the whole file that permits no changes. The libraries are
 * imported on first use.
 */
async function seal(
  pdf: Uint8Array,
  about: Parameters<Ctx['documents']['seal']>[1],
  { key, timeStamps }: { key: SealingKey, timeStamps: TimeStamps | null }
): ReturnType<Ctx['documents']['seal']> {
  const [
    { PDFDocument },
    { pdflibAddPlaceholder },
    { SignPdf },
    { Signer, SUBFILTER_ETSI_CADES_DETACHED },
    { certify }
  ] = await Promise.all([
    import('pdf-lib'),
    import('@signpdf/placeholder-pdf-lib'),
    import('@signpdf/signpdf'),
    import('@signpdf/utils'),
    import('./certify.ts')
  ])
  const pdfDoc = await PDFDocument.load(pdf, { updateMetadata: false })
  pdflibAddPlaceholder({
    pdfDoc,
    reason: pdfText(about.reason),
    name: pdfText(about.signer),
    location: pdfText(about.location ?? ''),
    contactInfo: '',
    signingTime: about.signed_at,
    signatureLength: 2 * roomFor(key, timeStamps), // in hexadecimal digits
    subFilter: SUBFILTER_ETSI_CADES_DETACHED
  })
  certify(pdfDoc)
  const prepared = Buffer.from(await pdfDoc.save({ useObjectStreams: false }))
  let time_stamp = false
  const signer = Object.assign(new Signer(), {
    async sign(bytes: Buffer) {
      const signed = await signDetached(bytes, key, timeStamps)
      time_stamp = signed.time_stamp
      return signed.cms
    }
  })
  return { bytes: await new SignPdf().sign(prepared, signer), time_stamp }
}

const roomFor = ({ certificate, chain }: SealingKey, timeStamps: TimeStamps | null): number =>
  [certificate, ...chain].reduce((sum, { length }) => sum + length, SIGNATURE_BYTES)
  + (timeStamps ? MAX_TOKEN_BYTES : 0)

/**
 * A text string as UTF-16 in octal escapes: the library copies it into `(…)` unchanged, and a name may contain `)` or
 * Greek letters.
 */
function pdfText(text: string): string {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  return Array.from(bytes, byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
