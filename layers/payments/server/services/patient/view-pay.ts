import { problem, type Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { PayView } from '../../../shared/contract.ts'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findByToken, type StoredRequest } from '../../db/requests.ts'
import { providerOf } from '../../providers/index.ts'
import { settingsOf } from '../../settings.ts'
import { fitToDue } from '../requests/fit-to-due.ts'
import { macsOf, publicPath } from '../token.ts'
import { transferDetails } from './transfer-details.ts'

/** Any text can be hashed, so that malformed and unknown tokens look alike. Throws `pay_link_not_found`. */
export async function requestOf(ctx: Ctx, token: string): Promise<StoredRequest> {
  const request = await findByToken(ctx.db, macsOf(ctx, token))
  if (!request) throw problem('pay_link_not_found')
  return request
}

/** What `/pay/{token}` shows: clinic, number, amount and state, and no person and no treatment. */
export async function viewPay(ctx: Ctx, token: string): Promise<PayView> {
  const request = await fitToDue(ctx, await requestOf(ctx, token))
  const { clinic_id, kind, amount, currency, due_on, state } = request
  const clinic = await ctx.clinics.get(clinic_id)
  const pay_by = isPayable(state) ? await payableBy(ctx, clinic_id) : null
  const details = pay_by === 'transfer' ? await transferDetails(ctx, request) : null
  return {
    clinic: { name: clinic.name, locale: clinic.locale },
    kind,
    number: request.invoice_number ?? request.budget_number,
    amount: formatMoney(amount, currency),
    currency,
    due_on,
    state,
    pay_by,
    transfer: details && {
      iban: details.iban,
      creditor: details.creditor,
      bic: details.bic,
      reference: details.reference,
      qr: details.code === null ? null : `${publicPath(token)}/qr.svg`
    }
  }
}

async function payableBy(ctx: Ctx, clinic_id: string): Promise<PayView['pay_by']> {
  const settings = await settingsOf(ctx, clinic_id)
  const provider = await providerOf(settings.provider)
  if (provider.missing(settings).length > 0) return null
  return settings.provider === 'transfer' ? 'transfer' : 'checkout'
}
