import type { AccessFunction, Ctx, ModuleRequest } from '@svc/kit'
import type { PatientPageSession } from '@svc/kit/modules/budget'
import { COOKIE, linkSession } from '../services/link/find-link.ts'
import { needsSession } from './patient.ts'

/**
 * The patient's session of one link, for endpoints of other modules below that link. They get the budget's id, and read
 * everything else through `ctx.use('budget')`.
 */
async function pageSession(request: ModuleRequest, ctx: Ctx): Promise<PatientPageSession> {
  const { budget: { clinic_id, id: budget_id, patient_id, version } } = await linkSession(request, ctx)
  return { clinic_id, budget_id, patient_id, version }
}

export const pageAccess: AccessFunction<PatientPageSession> = Object.assign(pageSession, {
  cookie: COOKIE,
  problems: needsSession
})
