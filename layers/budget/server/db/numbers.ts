import { and, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetNumber, budgetRemovedDraft } from './schema.ts'

export interface Counter { clinic_id: string, year: number, last: number, seal: Buffer | null }
export type RemovedDraft = Pick<
  typeof budgetRemovedDraft.$inferSelect,
  'budget_id' | 'clinic_id' | 'number' | 'version' | 'seal'
>

/**
 * The row that counts the counters of all clinics and years: without it, deleting a counter together with its budgets
 * would leave no trace. It is created with the module's tables, and no clinic has its id.
 */
export const TOTAL = { clinic_id: '00000000-0000-0000-0000-000000000000', year: 0 }

export const numberOf = ({ year, last }: Pick<Counter, 'year' | 'last'>): string =>
  `PRES-${year}-${String(last).padStart(4, '0')}`

/**
 * Increases the counter; the returned seal is still that of the previous number. The row stays locked until the
 * transaction ends, so that parallel creations wait for one another, and a failed one returns its number. Call it last.
 */
export async function countFurther(tx: Tx, { clinic_id, year }: { clinic_id: string, year: number }): Promise<Counter> {
  const [row] = await tx
    .insert(budgetNumber)
    .values({ clinic_id, year, last: 1 })
    .onConflictDoUpdate({
      target: [budgetNumber.clinic_id, budgetNumber.year],
      set: { last: sql`${budgetNumber.last} + 1` }
    })
    .returning()
  return row!
}

export async function saveCounterSeal(
  tx: Tx | Db,
  { clinic_id, year }: Pick<Counter, 'clinic_id' | 'year'>,
  seal: Buffer
): Promise<void> {
  await tx
    .update(budgetNumber)
    .set({ seal })
    .where(and(eq(budgetNumber.clinic_id, clinic_id), eq(budgetNumber.year, year)))
}

export const listCounters = async (db: Db): Promise<Counter[]> =>
  await db
    .select()
    .from(budgetNumber)
    .where(gt(budgetNumber.year, TOTAL.year))
    .orderBy(budgetNumber.clinic_id, budgetNumber.year)

const isTotal = and(eq(budgetNumber.clinic_id, TOTAL.clinic_id), eq(budgetNumber.year, TOTAL.year))

/** Increases the count of counters, under lock; null without the row. The seal is still that of the previous count. */
export async function countCounter(tx: Tx): Promise<Counter | null> {
  const [row] = await tx.update(budgetNumber).set({ last: sql`${budgetNumber.last} + 1` }).where(isTotal).returning()
  return row ?? null
}

/** The row and the number of counters, in one snapshot. */
export async function readTotal(db: Db): Promise<{ total: Counter | null, counters: number }> {
  const counters = sql<number>`(select count(*)::int from budget_number where year > ${TOTAL.year})`
  const [row] = await db.select({ counters, total: getTableColumns(budgetNumber) })
    .from(sql`(select) as one`).leftJoin(budgetNumber, isTotal)
  return row!
}

/** An existing row is not changed. */
export async function insertTotal(db: Db, { last, seal }: Pick<Counter, 'last' | 'seal'>): Promise<void> {
  await db.insert(budgetNumber).values({ ...TOTAL, last, seal }).onConflictDoNothing()
}

export async function insertRemovedDrafts(
  tx: Tx | Db,
  rows: (typeof budgetRemovedDraft.$inferInsert)[]
): Promise<void> {
  if (rows.length > 0) await tx.insert(budgetRemovedDraft).values(rows)
}

/** A missing version: the first one of a number without any, otherwise a version below the newest. */
export interface Missing { clinic_id: string, number: string, version: number }

/** A counter that is lower than the highest number used, or missing. `given`: the highest number used. */
export interface CounterBehind { clinic_id: string, year: number, last: number | null, given: number }

const PARTS = sql`split_part(number, '-', 2)::int as year, split_part(number, '-', 3)::bigint as n`

/** Numbers up to the counter that no budget has, at most `limit`. */
export async function findMissingNumbers(db: Db, limit: number): Promise<Missing[]> {
  const rows = await db.execute<{ clinic_id: string, year: number, n: number }>(sql`
    with given as (select distinct clinic_id, ${PARTS} from budget)
    select c.clinic_id, c.year, wanted.n from budget_number c cross join lateral generate_series(1, c.last) as wanted (n)
    where c.year > ${TOTAL.year} and not exists (select from given where given.clinic_id = c.clinic_id and given.year = c.year and given.n = wanted.n)
    order by 1, 2, 3 limit ${limit}::int`)
  return rows.map(({ clinic_id, year, n }) => ({ clinic_id, number: numberOf({ year, last: n }), version: 1 }))
}

/** Missing versions below a number's newest, at most `limit`. */
export async function findMissingVersions(db: Db, limit: number): Promise<Missing[]> {
  return await db.execute<Missing & Record<string, unknown>>(sql`
    select b.clinic_id, b.number, wanted.version
    from (select clinic_id, number, max(version) as newest, count(*) as n from budget group by clinic_id, number having max(version) > count(*)) as b
    cross join lateral generate_series(1, b.newest) as wanted (version)
    where not exists (select from budget x where x.clinic_id = b.clinic_id and x.number = b.number and x.version = wanted.version)
    order by 1, 2, 3 limit ${limit}::int`)
}

export async function findCountersBehind(db: Db): Promise<CounterBehind[]> {
  return await db.execute<CounterBehind & Record<string, unknown>>(sql`
    select g.clinic_id, g.year, c.last, g.given::int as given
    from (select clinic_id, year, max(n) as given from (select clinic_id, ${PARTS} from budget) as parts group by clinic_id, year) as g
    left join budget_number c on c.clinic_id = g.clinic_id and c.year = g.year
    where c.last is null or c.last < g.given order by 1, 2`)
}

export async function listRemovedDrafts(db: Db, numbers: string[]): Promise<RemovedDraft[]> {
  if (numbers.length === 0) return []
  const { budget_id, clinic_id, number, version, seal } = budgetRemovedDraft
  return await db
    .select({ budget_id, clinic_id, number, version, seal })
    .from(budgetRemovedDraft)
    .where(inArray(number, numbers))
}
