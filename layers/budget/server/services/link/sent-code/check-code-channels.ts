import type { Clinic, Ctx, Finding } from '@svc/kit'
import { BY_CLINIC } from '../../../../shared/settings.ts'
import { settingsOf } from '../../../settings.ts'
import { findChannel } from '../../budget/channels.ts'

/** For the doctor: clinics whose codes go by a channel that is missing or not ready. */
export async function checkCodeChannels(ctx: Ctx): Promise<Finding[]> {
  const findings = await Promise.all((await ctx.clinics.list()).map(clinic => checkClinic(ctx, clinic)))
  return findings.flat()
}

async function checkClinic(ctx: Ctx, { id: clinic_id, name: object }: Clinic): Promise<Finding[]> {
  const { code_by, code_by_only } = await settingsOf(ctx, clinic_id)
  if (code_by === BY_CLINIC) return []
  const channel = await findChannel(ctx, code_by, { clinic_id, patient: null })
  if (!channel) {
    return [{
      code: 'code_channel_missing',
      object,
      message: `Codes go by the channel "${code_by}", which no running module has. Meanwhile the clinic gives the codes.`,
      fix: 'Install the module of the channel again, or choose another way under Settings.'
    }]
  }
  return channel.ready
    ? []
    : [{
        code: 'code_channel_not_ready',
        object,
        message: `Codes go by the channel "${code_by}", which can't send now: ${channel.reason}`,
        fix: 'Complete the settings of the channel\'s module, or choose another way under Settings.',
        advice: !code_by_only
      }]
}
