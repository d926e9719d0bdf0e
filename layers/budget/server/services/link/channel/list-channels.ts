import { isId, problem, type Ctx } from '@svc/kit'
import type { ChannelRow, ChannelsQuery } from '../../../../shared/contract.ts'
import { findBudget } from '../../../db/budgets.ts'
import { channelTextsFor } from '../../../mail/channel-texts.ts'
import { listChannels, MANUAL } from '../../budget/channels.ts'
import { findPatient } from '../../budget/dependencies.ts'

/**
 * The ways in which a link can be sent, by hand last. With a budget: for its patient, with their address, which a
 * program does not read. Throws `not_found`.
 */
export async function listWays(
  ctx: Ctx,
  { clinic_id, budget_id, locale, is_program }: ChannelsQuery & { clinic_id: string, is_program: boolean }
): Promise<ChannelRow[]> {
  const patient_id = budget_id && await patientOf(ctx, { clinic_id, id: budget_id })
  const patient = patient_id ? await findPatient(ctx, clinic_id, patient_id) : null
  const texts = channelTextsFor(locale)
  const channels = await listChannels(ctx, { clinic_id, patient, locale })
  return [
    ...channels.map(({ name, label, short, ready, reason, address, hidden_address }): ChannelRow => ({
      name,
      label,
      ...patient_id && ready && !address
        ? { ready: false, reason: name === 'email' ? texts.no_email : texts.no_address }
        : { ready, reason },
      ...patient_id ? { short, address: is_program ? hidden_address : address } : {}
    })),
    {
      name: MANUAL,
      label: texts.by_hand,
      ready: true,
      reason: null,
      ...patient_id ? { short: false, address: null } : {}
    }
  ]
}

async function patientOf(ctx: Ctx, key: { clinic_id: string, id: string }): Promise<string> {
  const budget = isId(key.id) ? await findBudget(ctx.db, key) : null
  if (!budget) throw problem('not_found')
  return budget.patient_id
}
