import type { Ctx } from '@svc/kit'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { lockOf } from '../../../shared/domain/lockout.ts'
import type { FoundLink } from '../../db/links.ts'
import { getLink } from './find-link.ts'
import { findCodeChannel, findCodeRoute } from './sent-code/code-route.ts'
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
    time_zone: budget.time_zone,
    ...await codeBy(ctx, found)
  }
  return { meta, accent_color: clinic.accent_color }
}

/** Asks the channel only if the clinic has one for codes. */
async function codeBy(ctx: Ctx, { budget }: FoundLink): Promise<{ code_by?: string, code_only?: true }> {
  const by = await findCodeChannel(ctx, budget.clinic_id)
  if (!by) return {}
  const route = await findCodeRoute(ctx, { name: by.name, budget })
  return { ...typeof route === 'string' ? {} : { code_by: by.name }, ...by.only ? { code_only: true } : {} }
}
