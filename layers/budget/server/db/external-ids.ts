import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx, Db, Tx } from '@svc/kit'
import { externalIdsOf } from '@svc/kit/external-ids'
import type { BudgetKey } from './budgets.ts'
import { budget, budgetExternalId } from './schema.ts'

/** They are stored at the first version of a number, and apply to all its versions. */
export const budgetIds = (ctx: Pick<Ctx, 'pg'>) =>
  externalIdsOf(ctx, { table: 'budget_external_id', record: 'budget_id' })

interface OfNumber { clinic_id: string, number: string }

const ofNumber = ({ clinic_id, number }: OfNumber) => and(eq(budget.clinic_id, clinic_id), eq(budget.number, number))

export async function firstVersion(db: Db | Tx, key: OfNumber): Promise<string> {
  const [row] = await db.select({ id: budget.id }).from(budget).where(ofNumber(key)).orderBy(budget.version).limit(1)
  return row!.id
}

/** The newest version of the number whose first version this is. */
export async function newestVersion(db: Db | Tx, { clinic_id, id }: BudgetKey): Promise<string> {
  const number = sql`(select number from budget as first where first.id = ${id}::uuid)`
  const [row] = await db
    .select({ id: budget.id })
    .from(budget)
    .where(and(eq(budget.clinic_id, clinic_id), eq(budget.number, number)))
    .orderBy(desc(budget.version))
    .limit(1)
  return row?.id ?? id
}

/** External ids by number, for the budgets of a list. */
export async function idsOfNumbers(
  ctx: Ctx,
  clinic_id: string,
  numbers: string[]
): Promise<Map<string, Record<string, string>>> {
  if (numbers.length === 0) return new Map()
  const rows = await ctx.db.execute<{ number: string, external_ids: Record<string, string> }>(sql`
    select budget.number, jsonb_object_agg(named.system, named.external_id) as external_ids
    from budget join budget_external_id as named on named.budget_id = budget.id
    where budget.clinic_id = ${clinic_id}::uuid and budget.number in (
      select value from jsonb_array_elements_text(${JSON.stringify(numbers)}::text::jsonb))
    group by budget.number`)
  return new Map(rows.map(({ number, external_ids }) => [number, external_ids]))
}

/** Returns how many were removed. */
export async function removeIds(tx: Db | Tx, budgets: string[]): Promise<number> {
  if (budgets.length === 0) return 0
  const rows = await tx
    .delete(budgetExternalId)
    .where(inArray(budgetExternalId.budget_id, budgets))
    .returning({ system: budgetExternalId.system })
  return rows.length
}
