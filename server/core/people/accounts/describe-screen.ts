import { eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { Screen } from '../../../../shared/auth.ts'
import { coreClinic, coreUser } from '../../db/schema.ts'
import type { CoreActor } from '../../http/types.ts'

/** What the screens of a person need besides `/me`: their language, their clinic's settings and what is due of them. */
export async function describeScreen(
  db: Db,
  { user_id, clinic_id }: { user_id: string, clinic_id: string | null },
  { factor_due, factors_to_review }: Pick<CoreActor, 'factor_due' | 'factors_to_review'>
): Promise<Screen> {
  const [found] = await db
    .select({
      language: coreUser.locale,
      accent_color: coreClinic.accent_color,
      prices_include_tax: coreClinic.prices_include_tax,
      tooth_notation: coreClinic.tooth_notation,
      country: coreClinic.country,
      first_steps_hidden: coreClinic.first_steps_hidden
    })
    .from(coreUser)
    .leftJoin(coreClinic, eq(coreClinic.id, sql`${clinic_id}::uuid`))
    .where(eq(coreUser.id, user_id))
  const { language, accent_color, prices_include_tax, tooth_notation, country, first_steps_hidden } = found!
  return {
    user_id,
    clinic_id,
    language,
    accent_color,
    prices_include_tax: prices_include_tax ?? false,
    tooth_notation: tooth_notation ?? 'fdi',
    country,
    first_steps: first_steps_hidden === false,
    second_factor_due: factor_due?.until.toISOString() ?? null,
    second_factor_overdue: factor_due?.overdue ?? false,
    factor_review: factors_to_review
  }
}
