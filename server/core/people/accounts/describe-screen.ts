import { eq, sql } from 'drizzle-orm'
import type { Screen } from '../../../../shared/auth.ts'
import { coreClinic, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import type { CoreActor } from '../../http/types.ts'
import { screenSettings } from '../../settings/clinic-members.ts'

/** What the screens of a person need besides `/me`: their language, their clinic's settings and what is due of them. */
export async function describeScreen(
  host: Host,
  { user_id, clinic_id }: { user_id: string, clinic_id: string | null },
  { factor_due, factors_to_review }: Pick<CoreActor, 'factor_due' | 'factors_to_review'>
): Promise<Screen> {
  const [found] = await host.db
    .select({
      language: coreUser.locale,
      accent_color: coreClinic.accent_color,
      prices_include_tax: coreClinic.prices_include_tax,
      country: coreClinic.country,
      first_steps_hidden: coreClinic.first_steps_hidden
    })
    .from(coreUser)
    .leftJoin(coreClinic, eq(coreClinic.id, sql`${clinic_id}::uuid`))
    .where(eq(coreUser.id, user_id))
  const { language, accent_color, prices_include_tax, country, first_steps_hidden } = found!
  return {
    user_id,
    clinic_id,
    language,
    accent_color,
    prices_include_tax: prices_include_tax ?? false,
    country,
    first_steps: first_steps_hidden === false,
    settings: await screenSettings(host, host.db, clinic_id),
    second_factor_due: factor_due?.until.toISOString() ?? null,
    second_factor_overdue: factor_due?.overdue ?? false,
    factor_review: factors_to_review
  }
}
