import { defineEndpoint, isProblem, reply, type Ctx, type ModuleRequest, type StaffRequest } from '@svc/kit'
import { CheckDocumentAnswer, CheckDocumentRequest, ReaderQuery } from '../../shared/contract.ts'
import { findSignedPdf, type SignedPdfRow } from '../db/documents.ts'
import type { BudgetRow } from '../db/budgets.ts'
import { DOWNLOAD_LIMIT } from '../domain/download-limit.ts'
import { checkDocument } from '../services/check-document.ts'
import { downloadBudgetPdf } from '../services/download-budget-pdf.ts'
import { downloadSignedPdf, type SignedPdf } from '../services/download-signed-pdf.ts'
import { downloadEvidence } from '../services/evidence/download-evidence.ts'
import { COOKIE, findSession, getLink, hasNoEffect, linkSession, toPage, type SignedPdfSession, type LinkSession } from '../services/find-link.ts'
import { getStaffBudget } from '../services/get-staff-budget.ts'
import { logRefusedDownload } from '../services/log-refused-download.ts'

const link = '/public/budgets/:token'
const staff = '/budget/budgets/:id'
const read = { permission: 'budget.read' }
const needsSession = ['link_not_found', 'code_required']
const notThere = ['not_signed', 'signed_pdf_pending', 'fingerprint_mismatch']

const at = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })
const member = ({ actor, client }: StaffRequest) => ({ by: { actor: 'staff' as const, user_id: actor.user_id }, client })
const patient = ({ client }: ModuleRequest) => ({ by: { actor: 'patient' as const }, client })

/** `PRES-2026-0001.pdf`; later versions and the signed copy say so. Numbers are ours: letters, digits, dashes. */
const fileName = ({ number, version }: Pick<BudgetRow, 'number' | 'version'>, suffix = '', type = 'pdf') => `${number}${version > 1 ? `-v${version}` : ''}${suffix}.${type}`

const pdf = (body: Uint8Array, disposition: string, headers: Record<string, string> = {}) =>
  reply({ body, headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': disposition, ...headers } })

/** ETag and Repr-Digest (RFC 9530) both are the fingerprint. */
const signedPdf = ({ bytes, sha256 }: SignedPdf, budget: SignedPdfRow, headers: Record<string, string> = {}) =>
  pdf(bytes, `attachment; filename="${fileName(budget, '-signed')}"`, {
    'ETag': `"${sha256}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    ...headers
  })

const limitHeaders = ({ remaining, reset }: SignedPdf) => ({
  'RateLimit-Policy': `"${DOWNLOAD_LIMIT.name}";q=${DOWNLOAD_LIMIT.points};w=${DOWNLOAD_LIMIT.seconds}`,
  'RateLimit': `"${DOWNLOAD_LIMIT.name}";r=${remaining};t=${reset}`
})

/** Who comes to a known link without a session leaves a log row. */
async function signedPdfSession(request: ModuleRequest, ctx: Ctx): Promise<SignedPdfSession> {
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

export const documentEndpoints = [
  defineEndpoint({
    method: 'get',
    path: `${link}/pdf`,
    access: linkSession,
    // Each is drawn anew: one visitor must not keep the process busy for everybody.
    limit: { name: 'pdf', points: 30, seconds: 60, by: ({ session }) => (session as LinkSession).budget.id, counts: 'requests' },
    summary: 'The unsigned PDF, for the screen.',
    query: ReaderQuery,
    also: toPage,
    problems: [...needsSession, 'content_tampered', 'busy'],
    async handle({ query, request }, ctx) {
      const { budget, now } = request.session as LinkSession
      const bytes = await downloadBudgetPdf(ctx, { budget, now, locale: query.locale, ...patient(request), no_effect: hasNoEffect(request) })
      return pdf(bytes, `inline; filename="${fileName(budget)}"`)
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${link}/pdf/signed`,
    access: signedPdfSession,
    summary: 'The signed PDF as it was stored, ten times a minute at most.',
    also: toPage,
    problems: [...needsSession, ...notThere, 'too_many_requests'],
    async handle({ request }: { request: ModuleRequest<SignedPdfSession> }, ctx) {
      const { budget, now, downloads } = request.session
      const document = await downloadSignedPdf(ctx, { budget, now, downloads, ...patient(request), no_effect: request.head })
      return signedPdf(document, budget, limitHeaders(document))
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${staff}/pdf`,
    access: read,
    summary: 'The unsigned PDF, for the screen.',
    query: ReaderQuery,
    problems: ['content_tampered', 'busy'],
    async handle({ query, request }, ctx) {
      const budget = await getStaffBudget(ctx.db, at(request))
      const bytes = await downloadBudgetPdf(ctx, { budget, now: await ctx.clock.now(), locale: query.locale, ...member(request), no_effect: hasNoEffect(request) })
      return pdf(bytes, `inline; filename="${fileName(budget)}"`)
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${staff}/pdf/signed`,
    access: read,
    summary: 'The signed PDF as it was stored.',
    problems: notThere,
    async handle({ request }: { request: StaffRequest }, ctx) {
      const budget = await getStaffBudget(ctx.db, at(request))
      return signedPdf(await downloadSignedPdf(ctx, { budget, now: await ctx.clock.now(), downloads: null, ...member(request), no_effect: request.head }), budget)
    }
  }),
  defineEndpoint({
    method: 'get',
    path: `${staff}/evidence`,
    access: read,
    summary: 'All that proves an acceptance, as a ZIP that can be checked without the service.',
    problems: notThere,
    async handle({ request }: { request: StaffRequest }, ctx) {
      const budget = await getStaffBudget(ctx.db, at(request))
      const bytes = await downloadEvidence(ctx, { budget, user_id: request.actor.user_id, client: request.client, no_effect: request.head })
      return reply({ body: bytes, headers: { 'Content-Type': 'application/zip', 'Content-Disposition': `attachment; filename="${fileName(budget, '-evidence', 'zip')}"` } })
    }
  }),
  defineEndpoint({
    method: 'post',
    path: '/public/documents/check',
    access: 'none',
    limit: { name: 'documents-check', points: 30, seconds: 60, by: 'address', counts: 'requests' },
    summary: 'Whether a file of this SHA-256 is a document that was signed here.',
    body: CheckDocumentRequest,
    response: CheckDocumentAnswer,
    handle: ({ body }, ctx) => checkDocument(ctx, body)
  })
]
