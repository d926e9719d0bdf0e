import type { CollectedSection, Ctx } from '@svc/kit'
import type { PatientPageAt } from '@svc/kit/modules/budget'
import type { ShownBudget } from '../../db/budgets.ts'
import type { Status } from '../../../shared/domain/budget-state.ts'
import { cookiePath } from './link-token.ts'

/** The patient's page, by the name under which modules declare sections of it. */
const PAGE = 'budget.patient'

interface SectionPage { budget: ShownBudget, token: string, state: Status, locale: string }

/** What other modules add to the patient's page. It isn't part of the content. */
export async function collectSections(
  ctx: Ctx,
  { budget, token, state, locale }: SectionPage
): Promise<readonly CollectedSection[]> {
  const { id: budget_id, clinic_id, version } = budget
  const at: PatientPageAt = { clinic_id, budget_id, version, state, locale, token_base: cookiePath(token) }
  return await ctx.sections.collect(PAGE, at)
}
