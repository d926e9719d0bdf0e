import type { Ctx } from '@svc/kit'
import { listToAsk, updateMessage, type MessageRow } from '../db/messages.ts'
import { providerOf } from '../providers/index.ts'
import { settingsOf } from '../settings.ts'
import { takeReport } from './take-report.ts'

/** Messages of one run: each is a call to the provider. */
const MAX_ASKED = 100

/**
 * The scheduled job: asks for what no report brings, which is the price, and for states whose report got lost. It asks
 * at most six times for a message.
 */
export async function askProvider(ctx: Ctx): Promise<void> {
  const silent = new Set<string>()
  for (const row of await listToAsk(ctx.db, MAX_ASKED)) {
    // A provider that does not answer costs its time limit once in a run.
    if (!silent.has(row.clinic_id) && !await askOne(ctx, row)) silent.add(row.clinic_id)
  }
}

/** False if the provider gave no answer. */
async function askOne(ctx: Ctx, row: MessageRow): Promise<boolean> {
  const { clinic_id, id, ref } = row
  await updateMessage(ctx.db, { clinic_id, id }, { asked: row.asked + 1 })
  const settings = await settingsOf(ctx, clinic_id)
  const provider = providerOf(settings)
  if (provider.via !== row.via || !provider.ask || provider.missing(settings, row.channel)) return true
  try {
    const known = await provider.ask(ctx, settings, ref!)
    if (!known) return true
    const { price, price_currency, state, error } = known
    if (price !== null) await updateMessage(ctx.db, { clinic_id, id }, { price, price_currency })
    if (state !== null && row.state === 'sent') await takeReport(ctx, row, { state, error, ref })
    return true
  } catch (error) {
    ctx.log.warn('sms.not_asked', { message_id: id, error })
    return false
  }
}
