import type { Ctx } from '@svc/kit'
import type { FoundLink } from '../db/links.ts'
import { statusAt } from '../domain/budget-state.ts'
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

/** As the database's clock has it: a lock whose time is over is none. */
export function lockOf({ link, now }: Pick<FoundLink, 'link' | 'now'>): { locked: boolean, locked_until: Date | null } {
  const locked = link.locked_until !== null && link.locked_until > now
  return { locked, locked_until: locked ? link.locked_until : null }
}
