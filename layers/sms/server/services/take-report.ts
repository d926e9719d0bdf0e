import type { Ctx, Tx } from '@svc/kit'
import { settleMessage, type MessageRow } from '../db/messages.ts'
import { insertStop } from '../db/stops.ts'
import { ENDS_CHANNEL, explainError } from '../texts.ts'

export interface Outcome { state: 'delivered' | 'failed', error: string | null, /** The provider's name. */ ref: string | null }

/**
 * What the provider said of a message of ours: for the module that sent it, for our counts, and for the channel, which
 * some errors end. It can come twice, in any order, and before the provider's answer.
 */
export async function takeReport(ctx: Ctx, row: MessageRow, { state, error, ref }: Outcome): Promise<void> {
  const { clinic_id, channel, id } = row
  const { locale } = await ctx.clinics.get(clinic_id)
  const reason = state === 'failed' ? explainError(error ?? 'not_delivered', locale) : null
  await ctx.db.transaction(async (tx) => {
    await settleMessage(tx, { clinic_id, id }, { state, error: state === 'failed' ? error ?? 'not_delivered' : null, ref })
    if (state === 'failed' && error !== null && ENDS_CHANNEL.has(error)) await endChannel(tx, row, error)
    // A test has no module that waits for it.
    if (row.kind !== 'test') await ctx.deliveries.report(tx, { channel, ref: id, clinic_id, state, reason })
  })
}

/** Once the patient's data was erased, the number is unknown. */
async function endChannel(tx: Tx, row: MessageRow, error: string): Promise<void> {
  const { clinic_id, channel, number_mac, patient_id } = row
  if (number_mac === null) return
  await insertStop(tx, { clinic_id, channel, number_mac, patient_id, cause: 'provider', error })
}
