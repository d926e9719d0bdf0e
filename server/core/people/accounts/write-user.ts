import { and, eq } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { coreMembership, coreUser } from '../../db/schema.ts'
import { isSealed, sealOf, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'

// The only functions that change sealed columns of people and their memberships; `create-user.ts` inserts accounts.

export const userFacts = {
  id: coreUser.id,
  email: coreUser.email,
  email_proven_at: coreUser.email_proven_at,
  password_hash: coreUser.password_hash,
  instance_admin: coreUser.instance_admin,
  deactivated_at: coreUser.deactivated_at,
  factors: coreUser.factors,
  factors_to_review: coreUser.factors_to_review,
  seal: coreUser.seal
}
export const membershipFacts = {
  clinic_id: coreMembership.clinic_id,
  user_id: coreMembership.user_id,
  role: coreMembership.role,
  active: coreMembership.active,
  asked: coreMembership.asked,
  consented_at: coreMembership.consented_at,
  seal: coreMembership.seal
}

/** Neither changed outside the service nor deactivated by the operator. */
export const isUsable = (secrets: SealingSecrets, row: SealedRows['user'] & { seal: Buffer | null }): boolean =>
  row.deactivated_at === null && isSealed(secrets, 'user', row)

/**
 * Call it first in a transaction: locking sessions or links before their person can deadlock with the reverse order.
 */
export const lockUser = (tx: Tx, id: string) =>
  tx.select({ id: coreUser.id }).from(coreUser).where(eq(coreUser.id, id)).for('update')

/** Locked until the end of the transaction; null for an account that nobody can use. */
export async function lockUsableUser(tx: Tx, secrets: SealingSecrets, id: string): Promise<SealedRows['user'] | null> {
  const [row] = await tx.select(userFacts).from(coreUser).where(eq(coreUser.id, id)).for('update')
  return row && isUsable(secrets, row) ? row : null
}

/** The same for the signed-in person. Throws `unauthorized` if the account was just deactivated. */
export async function lockOwnAccount(tx: Tx, secrets: SealingSecrets, id: string): Promise<SealedRows['user']> {
  const user = await lockUsableUser(tx, secrets, id)
  if (!user) throw problem('unauthorized')
  return user
}

/**
 * The account whose password was just verified, locked until the end of the transaction. During the slow comparison, a
 * reset or a deactivation may have run, which would miss a session that is opened later: then null.
 */
export async function lockVerifiedUser(
  tx: Tx,
  secrets: SealingSecrets,
  { id, password_hash }: Pick<SealedRows['user'], 'id' | 'password_hash'>
): Promise<SealedRows['user'] | null> {
  const isSame = and(eq(coreUser.id, id), eq(coreUser.password_hash, password_hash ?? ''))
  const [row] = await tx.select(userFacts).from(coreUser).where(isSame).for('update')
  return row && isUsable(secrets, row) ? row : null
}

type UserChange = Partial<Omit<SealedRows['user'], 'id'>>

/**
 * Changes an untampered row. Throws for a tampered one, because its content would be sealed with the change. If the
 * password changes, the holder must confirm each factor, because someone else may have added one.
 */
export async function changeUserRow(
  tx: Tx,
  secrets: SealingSecrets,
  { id, change }: { id: string, change: UserChange }
): Promise<void> {
  const [row] = await tx.select(userFacts).from(coreUser).where(eq(coreUser.id, id)).for('update')
  if (!row || !isSealed(secrets, 'user', row))
    throw new Error(`the row of user ${id} was changed directly in the database: see svc modules doctor`)
  const review = change.password_hash === undefined ? {} : { factors_to_review: row.factors }
  await sealUserRow(tx, secrets, { ...row, ...review, ...change })
}

/** Writes all sealed columns, whatever the row contained before. */
export async function sealUserRow(
  tx: Tx,
  secrets: SealingSecrets,
  { id, email, email_proven_at, password_hash, instance_admin, deactivated_at, factors, factors_to_review }: SealedRows['user']
): Promise<void> {
  const facts = {
    id, email, email_proven_at, password_hash, instance_admin, deactivated_at, factors, factors_to_review
  }
  await tx
    .update(coreUser)
    .set({ ...facts, seal: sealOf(secrets, 'user', facts) })
    .where(eq(coreUser.id, id))
}

type MembershipRow = SealedRows['membership']
  & Partial<Pick<typeof coreMembership.$inferSelect, 'first_name' | 'last_name'>>

/** Inserts the row, or writes all sealed columns of an existing one, and those other columns that are given. */
export async function sealMembershipRow(tx: Tx, secrets: SealingSecrets, row: MembershipRow): Promise<void> {
  const { clinic_id, user_id, role, active, asked, consented_at, first_name, last_name } = row
  const seal = sealOf(secrets, 'membership', { clinic_id, user_id, role, active, asked, consented_at })
  const rest = { role, active, asked, consented_at, first_name, last_name, seal }
  await tx.insert(coreMembership).values({ clinic_id, user_id, ...rest })
    .onConflictDoUpdate({ target: [coreMembership.clinic_id, coreMembership.user_id], set: rest })
}
