import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import type { Certificate, Ctx, Db, Logger } from '@svc/kit'
import { ConfigError, type Config } from '../config.ts'
import { signDetached } from './cades.ts'
import { sealingKey, type SealingKey } from './certificate.ts'

interface Dependencies { db: Db, config: Pick<Config, 'base_url' | 'seal_p12'>, secrets: Ctx['secrets'], log: Logger }

/** Bytes kept free for the signature; a 2048 bit one with its certificate takes about 1,700. */
const SIGNATURE_LENGTH = 8192
const DAY = 24 * 60 * 60 * 1000

/** Throws ConfigError for a PKCS #12 file: a certificate that is configured and not used would be a false promise. */
export function createDocuments(dependencies: Dependencies): Ctx['documents'] {
  if (dependencies.config.seal_p12) {
    throw new ConfigError(['SVC_SEAL_P12 is not supported by this version: leave it out to seal with the certificate of this instance'])
  }
  let loading: Promise<SealingKey> | null = null

  async function key(): Promise<SealingKey> {
    loading ??= sealingKey(dependencies)
    try {
      const loaded = await loading
      if (loaded.not_after.getTime() - Date.now() > 29 * DAY) return loaded
      loading = sealingKey(dependencies)
      return await loading
    } catch (error) {
      loading = null // the database was away: the next document tries again
      throw error
    }
  }

  return {
    seal: async (pdf, about) => await seal(pdf, about, await key()),
    certificate: async () => describe(await key()),
    async sign(bytes) {
      const { private_key } = await key()
      const signature = await webcrypto.subtle.sign('RSASSA-PKCS1-v1_5', private_key, new Uint8Array(bytes))
      return { algorithm: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', signature: new Uint8Array(signature) }
    }
  }
}

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

/** PAdES B-B (ETSI EN 319 142-1): an invisible signature over the whole file. The libraries are imported at first use. */
async function seal(pdf: Uint8Array, about: Parameters<Ctx['documents']['seal']>[1], key: SealingKey): Promise<Uint8Array> {
  const [{ PDFDocument }, { pdflibAddPlaceholder }, { SignPdf }, { Signer, SUBFILTER_ETSI_CADES_DETACHED }] = await Promise.all([
    import('pdf-lib'), import('@signpdf/placeholder-pdf-lib'), import('@signpdf/signpdf'), import('@signpdf/utils')
  ])
  const pdfDoc = await PDFDocument.load(pdf, { updateMetadata: false })
  pdflibAddPlaceholder({
    pdfDoc,
    reason: pdfText(about.reason),
    name: pdfText(about.signer),
    location: pdfText(about.location ?? ''),
    contactInfo: '',
    signingTime: about.signed_at,
    signatureLength: SIGNATURE_LENGTH,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED
  })
  const prepared = Buffer.from(await pdfDoc.save({ useObjectStreams: false }))
  const signer = Object.assign(new Signer(), { sign: (bytes: Buffer) => signDetached(bytes, key) })
  return await new SignPdf().sign(prepared, signer)
}

/** A text string as UTF-16 in octal escapes: the library writes it into `(…)` as it is, and a name may hold `)` or Greek. */
function pdfText(text: string): string {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  return Array.from(bytes, byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
