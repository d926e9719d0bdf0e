import { isProblem, reply, type Ctx, type ModuleRequest, type StaffRequest } from '@svc/kit'
import { findSignedPdf, type SignedPdfRow } from '../db/documents.ts'
import type { BudgetRow } from '../db/budgets.ts'
import { DOWNLOAD_LIMIT } from '../../shared/domain/download-limit.ts'
import type { SignedPdf } from '../services/document/download-signed-pdf.ts'
import { COOKIE, findSession, getLink, type SignedPdfSession } from '../services/link/find-link.ts'
import { logRefusedDownload } from '../services/document/log-refused-download.ts'

/** Reasons why there is no signed PDF. */
export const notThere = ['not_signed', 'signed_pdf_pending', 'fingerprint_mismatch']

/** A download by staff. */
export const byStaff = ({ actor, client }: StaffRequest) => ({
  by: { actor: 'staff' as const, user_id: actor.user_id },
  client
})

/** A download by the patient. */
export const byPatient = ({ client }: ModuleRequest) => ({ by: { actor: 'patient' as const }, client })

/**
 * `PRES-2026-0001.pdf`; later versions and the signed copy get a suffix. Our numbers contain only letters, digits and
 * dashes.
 */
export const fileName = ({ number, version }: Pick<BudgetRow, 'number' | 'version'>, suffix = '', type = 'pdf') =>
  `${number}${version > 1 ? `-v${version}` : ''}${suffix}.${type}`

export const pdf = (body: Uint8Array, disposition: string, headers: Record<string, string> = {}) =>
  reply({ body, headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': disposition, ...headers } })

/** ETag and Repr-Digest (RFC 9530) are both the fingerprint. */
export const signedPdf = ({ bytes, sha256 }: SignedPdf, budget: SignedPdfRow, headers: Record<string, string> = {}) =>
  pdf(bytes, `attachment; filename="${fileName(budget, '-signed')}"`, {
    'ETag': `"${sha256}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    ...headers
  })

export const limitHeaders = ({ remaining, reset }: SignedPdf) => ({
  'RateLimit-Policy': `"${DOWNLOAD_LIMIT.name}";q=${DOWNLOAD_LIMIT.points};w=${DOWNLOAD_LIMIT.seconds}`,
  'RateLimit': `"${DOWNLOAD_LIMIT.name}";r=${remaining};t=${reset}`
})

/** A request for an existing link without a session adds a log row. */
export async function signedPdfSession(request: ModuleRequest, ctx: Ctx): Promise<SignedPdfSession> {
  try {
    return await findSession(request, ctx, findSignedPdf)
  } catch (error) {
    if (isProblem(error) && error.code === 'code_required' && !request.head) {
      const { budget } = await getLink(ctx, request.params.token ?? '')
      await logRefusedDownload(ctx, { budget_id: budget.id, client: request.client })
    }
    throw error
  }
}

signedPdfSession.cookie = COOKIE
