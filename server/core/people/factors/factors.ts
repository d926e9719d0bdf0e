import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, lt, notInArray, sql } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import { coreFactor } from '../../db/schema.ts'
import { changeUserRow } from '../accounts/write-user.ts'
import { isSealed, sealOf, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'

export type Factor = typeof coreFactor.$inferSelect
interface Parts { db: Db | Tx, secrets: SealingSecrets }
interface In { tx: Tx, secrets: SealingSecrets }
type User = Pick<SealedRows['user'], 'id' | 'factors' | 'factors_to_review'>

/** More are a mistake, or an attempt to fill the table. */
const MAX_FACTORS = 10

/** The ids in the sealed row of the account, so that factors added or removed by SQL are detected. */
export const factorIds = ({ factors }: Pick<User, 'factors'>): string[] => factors?.split(' ') ?? []

/** Factors that their holder has not confirmed since the password changed. */
export const factorsToReview = ({ factors_to_review }: Pick<SealedRows['user'], 'factors_to_review'>): string[] =>
  factors_to_review?.split(' ') ?? []

/** Usable factors: listed in the account, and unchanged since the service wrote them. Oldest first. */
export async function listFactors({ db, secrets }: Parts, user: User): Promise<Factor[]> {
  const ids = factorIds(user)
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(coreFactor)
    .where(and(eq(coreFactor.user_id, user.id), inArray(coreFactor.id, ids)))
    .orderBy(asc(coreFactor.created_at), asc(coreFactor.id))
  return rows.filter(row => isSealed(secrets, 'factor', row))
}

type NewFactor = Pick<Factor, 'user_id' | 'kind' | 'name' | 'secret'>
  & Partial<Pick<Factor, 'browser' | 'credential_id' | 'transports' | 'counter'>>

/** The factor is valid only after `addFactor` has listed it in the account. */
export async function insertFactor({ db, secrets }: Parts, factor: NewFactor): Promise<Factor> {
  const row = { id: randomUUID() as string, credential_id: null, ...factor }
  const [inserted] = await db
    .insert(coreFactor)
    .values({ ...row, seal: sealOf(secrets, 'factor', row) })
    .returning()
  return inserted!
}

/** The person must be locked. Throws `wrong_state` if there are too many. */
export async function addFactor({ tx, secrets }: In, user: User, id: string): Promise<void> {
  const ids = [...factorIds(user), id].sort()
  if (ids.length > MAX_FACTORS)
    throw problem('wrong_state', { detail: `An account can have ${MAX_FACTORS} factors. Remove one that you no longer use.` })
  await changeUserRow(tx, secrets, { id: user.id, change: { factors: ids.join(' ') } })
}

/** The person must be locked. Unconfirmed enrolments end too. */
export async function dropFactor({ tx, secrets }: In, user: User, id: string) {
  const left = factorIds(user).filter(known => known !== id)
  const factors = left.join(' ') || null
  const factors_to_review = withoutReviewed(user, id)
  await changeUserRow(tx, secrets, { id: user.id, change: { factors, factors_to_review } })
  const gone = await tx
    .delete(coreFactor)
    .where(and(eq(coreFactor.user_id, user.id), left.length > 0 ? notInArray(coreFactor.id, left) : undefined))
    .returning({ id: coreFactor.id, kind: coreFactor.kind })
  return { kind: gone.find(row => row.id === id)?.kind ?? 'totp', isLast: left.length === 0, left: factors }
}

/** The person must be locked, and confirms that this factor is theirs. */
export async function keepFactor({ tx, secrets }: In, user: User, id: string): Promise<void> {
  await changeUserRow(tx, secrets, { id: user.id, change: { factors_to_review: withoutReviewed(user, id) } })
}

const withoutReviewed = (user: User, id: string): string | null =>
  factorsToReview(user).filter(known => known !== id).join(' ') || null

/** Removes all factors. The person must be locked. */
export async function dropFactors({ tx, secrets }: In, { id }: User): Promise<void> {
  await changeUserRow(tx, secrets, { id, change: { factors: null, factors_to_review: null } })
  await tx.delete(coreFactor).where(eq(coreFactor.user_id, id))
}

/** Records a use. False: this step or counter was used before, perhaps concurrently. */
export async function useFactor(tx: Tx, { id, counter }: { id: string, counter: number }): Promise<boolean> {
  const used = await tx
    .update(coreFactor)
    .set({ counter, last_used_at: sql`now()` })
    .where(and(eq(coreFactor.id, id), lt(coreFactor.counter, counter)))
    .returning({ id: coreFactor.id })
  return used.length > 0
}
