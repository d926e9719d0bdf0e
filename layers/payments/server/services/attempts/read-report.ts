import { isId, isProblem, problem, type Ctx } from '@svc/kit'
import { PROVIDERS, type PaymentSettings } from '../../../shared/settings.ts'
import { findReported } from '../../db/attempts.ts'
import { providerOf } from '../../providers/index.ts'
import type { Provider, WebhookReport, WebhookRequest } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { checkAttempt } from './check-attempt.ts'
import { settleAttempt } from './settle-attempt.ts'

interface Report extends WebhookRequest { clinic_id: string, provider: string }

/**
 * A provider reports something about a payment. Only what its signature proves is read. A report about an unknown
 * attempt is ignored: the account may have other uses. Throws `signature_wrong`, `provider_unreachable`.
 */
export async function readReport(ctx: Ctx, { clinic_id, provider: name, ...request }: Report): Promise<void> {
  const known = PROVIDERS.find(candidate => candidate === name)
  // The same answer for an unknown clinic, so that it doesn't reveal which clinics exist.
  if (!known || !isId(clinic_id)) throw problem('signature_wrong')
  const provider = await providerOf(known)
  const settings = { ...await settingsOf(ctx, clinic_id), provider: known }
  const { mode, report } = await verify(ctx, provider, settings, request)
  const find = (mode: PaymentSettings['mode']) => findReported(ctx.db, { clinic_id, provider: known, mode }, report)
  // Nothing proves the mode of a report of Mollie. It is asked with the key of the attempt's own mode.
  const attempt = await find(mode) ?? (known === 'mollie' ? await find(mode === 'live' ? 'test' : 'live') : null)
  if (!attempt) return ctx.log.info('payments.report_ignored', { provider: name })
  if (report.status) await settleAttempt(ctx, attempt.id, report.status)
  else await checkAttempt(ctx, attempt.id)
}

/** With the keys of the mode in use, then with those of the other: late reports come after a change of the mode. */
async function verify(
  ctx: Ctx,
  provider: Provider,
  settings: PaymentSettings,
  request: WebhookRequest
): Promise<{ mode: PaymentSettings['mode'], report: WebhookReport }> {
  for (const mode of settings.mode === 'live' ? ['live', 'test'] as const : ['test', 'live'] as const) {
    const tried = { ...settings, mode }
    if (provider.missing(tried).length > 0) continue
    try {
      return { mode, report: await provider.readWebhook(ctx, tried, request) }
    } catch (error) {
      if (!isProblem(error) || error.code !== 'signature_wrong') throw error
    }
  }
  throw problem('signature_wrong')
}
