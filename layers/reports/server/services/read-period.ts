import { problem, type Ctx } from '@svc/kit'
import { MAX_MONTHS, type AcceptanceQuery } from '../../shared/contract.ts'
import { monthsOf, periodOf, type Period } from '../../shared/domain/period.ts'

interface ClinicPeriod extends Period {
  /** Every month that the period overlaps, in order. */
  months: string[]
  currency: string
  time_zone: string
  /** The clinic's language. */
  locale: string
}

/** The requested days, by default the last twelve months of the clinic. Throws `validation_failed`. */
export async function readPeriod(
  ctx: Ctx,
  { clinic_id, ...asked }: AcceptanceQuery & { clinic_id: string }
): Promise<ClinicPeriod> {
  const { currency, time_zone, locale } = await ctx.clinics.get(clinic_id)
  const period = periodOf(asked, dayIn(time_zone, await ctx.clock.now()))
  if (period.from > period.to)
    throw problem('validation_failed', { errors: [{ pointer: '/from', message: 'Must not be after "to".' }] })
  const months = monthsOf(period)
  if (months.length > MAX_MONTHS)
    throw problem('validation_failed', {
      errors: [{ pointer: '/from', message: `Must be ${MAX_MONTHS} months before "to" at most.` }]
    })
  return { ...period, months, currency, time_zone, locale }
}

/** `en-CA` writes days as ISO does. */
const dayIn = (time_zone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at
  )
