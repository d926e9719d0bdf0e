import type { Ctx } from '@svc/kit'
import { statusAt } from '../domain/budget-state.ts'
import { lockOf } from '../domain/lockout.ts'
import { getLink } from './find-link.ts'
import { clinicCard } from './patient-view.ts'

/** What anybody with the link may know; writes nothing. */
export async function linkMeta(ctx: Ctx, { token }: { token: string }) {
  const found = await getLink(ctx, token)
  const { budget, now } = found
  const lock = lockOf(found)
  const closed = statusAt(budget, now) !== 'sent'
  return {
    state: closed ? 'closed' : lock.locked ? 'locked' : 'open',
    ...lock,
    clinic: clinicCard(await ctx.clinics.get(budget.clinic_id)),
    locale: budget.locale,
    time_zone: budget.time_zone
  }
}
