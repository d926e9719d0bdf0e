import type { Sql } from 'postgres'
import type { Ctx, Finding } from '@svc/kit'
import type { SealingKey } from '../types.ts'

const SOON_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Warns about the end of the operator's certificate, from 30 days before, and about its consequences. `now` is the
 * database's time, as for the seal.
 */
export function checkOperatorCertificate(
  certificate: Pick<SealingKey, 'not_before' | 'not_after'>,
  now: Date
): Finding[] {
  const { not_before, not_after } = certificate
  const found = { object: 'SVC_SEAL_P12', fix: 'Set SVC_SEAL_P12 to a valid one, and restart.', advice: true }
  const waiting = 'acceptances continue, but their signed PDFs wait'
  if (now >= not_after)
    return [
      {
        ...found,
        code: 'certificate_ended',
        message: `The certificate expired on ${dayOf(not_after)}: documents are no longer sealed; ${waiting}.`
      }
    ]
  if (now < not_before)
    return [
      {
        ...found,
        code: 'certificate_not_yet',
        message: `The certificate is valid from ${dayOf(not_before)}: documents are not sealed before then; ${waiting}.`
      }
    ]
  if (not_after.getTime() - now.getTime() > SOON_MS) return []
  return [
    {
      ...found,
      code: 'certificate',
      message: `The certificate that seals documents expires on ${dayOf(not_after)}; from then on ${waiting}.`
    }
  ]
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Reports on the instance's own certificate, which is renewed automatically. */
export async function checkClinicCertificates(sql: Sql): Promise<Finding[]> {
  const [row] = await sql<{ ends: string, soon: boolean }[]>`
    select to_char(not_after at time zone 'UTC', 'YYYY-MM-DD') as ends, not_after < now() + interval '30 days' as soon
    from core_certificate order by not_after desc limit 1`
  if (!row?.soon) return []
  return [
    {
      code: 'certificate',
      object: 'certificate',
      message: `The certificate that seals documents expires on ${row.ends}.`,
      fix: 'A new one is made with the next document. To use your own, set SVC_SEAL_P12.',
      advice: true
    }
  ]
}

/** A key that no document has: a store that can be reached and read answers that it does not exist. */
const PROBE = 'is-there-anybody'

/** Checks the folder or bucket of documents by reading only. */
export async function checkDocumentStore(files: Ctx['files']): Promise<Finding[]> {
  try {
    await files.read(PROBE)
    return []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    const message = `Documents cannot be read or stored: ${(error as Error).message}`
    return [
      {
        code: 'document_store',
        object: 'SVC_STORAGE',
        message,
        fix: 'Fix the address, the permissions or the credentials. Waiting signed PDFs are then made automatically.',
        advice: true
      }
    ]
  }
}
