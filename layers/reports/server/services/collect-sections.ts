import type { Ctx } from '@svc/kit'
import type { ClinicReportAt } from '@svc/kit/modules/reports'
import type { ReportSections, SectionsQuery } from '../../shared/contract.ts'
import { readPeriod } from './read-period.ts'

/** The page with the clinic's reports, by the name under which modules declare sections of it. */
const PAGE = 'reports.clinic'

/** What other modules report of the period. */
export async function collectSections(
  ctx: Ctx,
  { locale, ...asked }: SectionsQuery & { clinic_id: string }
): Promise<ReportSections> {
  const { from, to, currency, time_zone, locale: usual } = await readPeriod(ctx, asked)
  const at: ClinicReportAt = {
    clinic_id: asked.clinic_id, locale: locale ?? usual, from, to, currency, time_zone
  }
  return { from, to, ...await ctx.sections.collectForStaff(PAGE, at) }
}
