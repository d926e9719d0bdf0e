import type { AnyTx, Clinic, Ctx } from '@svc/kit'
import type { InvoiceRow } from '../db/invoices.ts'
import type { Issuer } from '../db/schema.ts'
import { dayIn } from '../../shared/domain/calendar.ts'
import { proFormaReason, type ProFormaReason } from '../../shared/domain/document-title.ts'
import { settingsOf } from '../settings.ts'

/** The clinic's details on an invoice. */
export const issuerOf = (clinic: Clinic): Issuer => ({
  name: clinic.name,
  address: clinic.address,
  phone: clinic.phone,
  email: clinic.email,
  legal_name: clinic.legal_name,
  tax_number: clinic.tax_number,
  registration: clinic.registration,
  insurer: clinic.insurer
})

/** Why a document that the clinic issues now is a pro forma; null if it is an invoice. */
export async function reasonNow(ctx: Ctx, clinic: Clinic, tx: AnyTx = ctx.db): Promise<ProFormaReason | null> {
  const { id, country, tax_number, time_zone } = clinic
  const { taxpayer } = await settingsOf(ctx, id, tx)
  return proFormaReason({ country, tax_number, taxpayer, day: dayIn(time_zone, await ctx.clock.now(tx)) })
}

/**
 * Why an issued document is a pro forma; null if it is an invoice. Older documents were pro formas only without a tax
 * number. Documents from before the tax number existed are invoices.
 */
export const reasonOfIssued = (
  { pro_forma_reason, issuer }: Pick<InvoiceRow, 'pro_forma_reason' | 'issuer'>
): ProFormaReason | null =>
  pro_forma_reason ?? (issuer?.tax_number === null ? 'no_tax_number' : null)

/** The same for a draft, if it was issued now. */
export const reasonOf = async (ctx: Ctx, invoice: InvoiceRow, clinic: Clinic): Promise<ProFormaReason | null> =>
  invoice.number === null ? await reasonNow(ctx, clinic) : reasonOfIssued(invoice)
