import type { Ctx } from '@svc/kit'
import type { Status } from '../../shared/contract.ts'
import { countOf, todayIn } from '../db/days.ts'
import { findFailing } from '../db/failing.ts'
import { settingsOf } from '../settings.ts'
import { answersAddress, gatewayAddress } from './report-address.ts'

/** What the settings show besides their own values. */
export async function showStatus(ctx: Ctx, clinic_id: string): Promise<Status> {
  const { http_key, daily_limit } = await settingsOf(ctx, clinic_id)
  const { time_zone } = await ctx.clinics.get(clinic_id)
  const today = await countOf(ctx.db, { clinic_id, day: await todayIn(ctx.db, time_zone) })
  const failing = await findFailing(ctx.db, clinic_id)
  return {
    gateway_address: gatewayAddress(ctx, clinic_id, http_key),
    twilio_address: answersAddress(ctx, clinic_id),
    today: { ...today, limit: daily_limit },
    failing: failing && { since: failing.since.toISOString(), code: failing.error }
  }
}
