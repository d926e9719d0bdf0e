import type { Certificate, Ctx } from '@svc/kit'
import type { HashList, LogExtract } from '@svc/evidence-page/types.ts'
import type { BudgetRow } from '../../../db/budgets.ts'
import { pageHash } from './check-page.ts'
import { sha256Of, type Files } from './files.ts'

interface Listed { budget: BudgetRow, files: Files, log: LogExtract, certificate: Certificate }

/** The list of hashes, which is signed: a reader who trusts the certificate can check everything else with it. */
export async function listHashes(ctx: Ctx, { budget, files, log, certificate }: Listed): Promise<HashList> {
  const { sha256, subject, not_after, spki } = certificate
  const last = log.rows.at(-1) ?? log.checkpoint
  return {
    algorithm: 'SHA-256',
    number: budget.number,
    version: budget.version,
    made_at: (await ctx.clock.now()).toISOString(),
    check_url: `${ctx.base_url}/verify`,
    files: Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, { sha256: sha256Of(bytes), size: bytes.length }])
    ),
    page: { file: 'check.html', sha256: pageHash() },
    log: { seq: last?.seq ?? 0, hash: last?.hash ?? null },
    signature: { file: 'hashes.sig' },
    certificate: {
      file: 'certificate.pem',
      sha256,
      subject,
      not_after: not_after.toISOString(),
      public_key: Buffer.from(spki).toString('base64')
    }
  }
}

type Signature = Awaited<ReturnType<Ctx['documents']['sign']>>

/** Base64 in OpenSSL's form: for ECDSA two numbers in DER, while WebCrypto writes them side by side. */
export function signatureText({ algorithm, signature }: Signature): string {
  const bytes = algorithm === 'ECDSA' ? derOf(signature) : signature
  return `${Buffer.from(bytes).toString('base64')}\n`
}

/** `SEQUENCE { INTEGER r, INTEGER s }`. */
function derOf(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2
  const numbers = [integer(raw.subarray(0, half)), integer(raw.subarray(half))]
  return element(0x30, Uint8Array.from(numbers.flatMap(number => [...number])))
}

/** The shortest non-negative form (X.690, 8.3). */
function integer(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex(byte => byte !== 0)
  const short = from === -1 ? new Uint8Array(1) : bytes.subarray(from)
  return element(0x02, short[0]! >= 0x80 ? Uint8Array.from([0, ...short]) : short)
}

/** Signatures are shorter than 256 bytes. */
function element(tag: number, content: Uint8Array): Uint8Array {
  return Uint8Array.from([tag, ...(content.length < 0x80 ? [content.length] : [0x81, content.length]), ...content])
}
