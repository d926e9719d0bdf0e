import type { Ctx } from '@svc/kit'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { lockOf } from '../../../shared/domain/lockout.ts'
import { getLink } from './find-link.ts'
import { clinicCard } from '../budget/patient-view.ts'

/**
 * What anyone with the link may see; writes nothing. The accent colour is returned separately, since the members are a
 * closed list.
 */
export async function linkMeta(ctx: Ctx, { token }: { token: string }) {
  const found = await getLink(ctx, token)
  const { budget, now } = found
  const lock = lockOf(found)
  const closed = statusAt(budget, now) !== 'sent'
  const clinic = await ctx.clinics.get(budget.clinic_id)
  const meta = {
    state: closed ? 'closed' : lock.locked ? 'locked' : 'open',
    ...lock,
    clinic: clinicCard(clinic),
    locale: budget.locale,
    time_zone: budget.time_zone
  }
  return { meta, accent_color: clinic.accent_color }
}
