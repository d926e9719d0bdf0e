import type { ChannelState, Ctx, Tx } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'
import { findLink } from '../../../db/links.ts'
import { settingsOf } from '../../../settings.ts'
import { BY_CLINIC } from '../../../../shared/settings.ts'
import { findChannel } from '../../budget/channels.ts'
import { findPatient } from '../../budget/dependencies.ts'
import { hasLink } from '../address/sent-to.ts'

/**
 * How the patient gets a code; null if only from the clinic, also while no running module has the clinic's channel.
 * `only`: the clinic's own code opens nothing.
 */
export async function findCodeChannel(
  ctx: Ctx,
  clinic_id: string,
  tx?: Tx
): Promise<{ name: string, only: boolean } | null> {
  const { code_by, code_by_only } = await settingsOf(ctx, clinic_id, tx)
  return code_by === BY_CLINIC || !ctx.channels.has(code_by) ? null : { name: code_by, only: code_by_only }
}

export interface CodeRoute { channel: ChannelState, patient: Patient, to: string }
/** Why no code can be sent: the link was sent to the same address, or the channel can't reach the patient now. */
export type NoRoute = 'same_channel' | 'code_unavailable'

interface CodeRouteQuery { name: string, budget: { id: string, clinic_id: string, patient_id: string } }

/** A code that is sent to the link's own address is not a second factor. */
export async function findCodeRoute(
  ctx: Ctx,
  { name, budget: { id, clinic_id, patient_id } }: CodeRouteQuery
): Promise<CodeRoute | NoRoute> {
  const link = await findLink(ctx.db, id)
  const patient = await findPatient(ctx, clinic_id, patient_id)
  const channel = patient && await findChannel(ctx, name, { clinic_id, patient })
  if (!link || !patient || !channel?.ready || !channel.address) return 'code_unavailable'
  const to = channel.address
  return await hasLink(ctx, ctx.db, link, { channel: name, to }) ? 'same_channel' : { channel, patient, to }
}
