import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { problem, type Ctx, type Db, type Tx } from '@svc/kit'
import { Password, Role } from '../../../shared/auth.ts'
import { Email, line } from '../../../shared/common.ts'
import { coreClinic, coreMembership, coreUser } from '../db/schema.ts'
import { validate } from '../http/validate.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { endSessionsOf } from './sessions.ts'

const Input = z.strictObject({
  email: Email,
  first_name: line(100).optional(),
  last_name: line(100).optional(),
  /** Without one the account waits for its invitation. */
  password: Password.nullish(),
  instance_admin: z.boolean().optional(),
  clinic_id: z.uuid().nullish(),
  role: Role.nullish()
})
export type CreateUser = z.infer<typeof Input>

interface Parts { db: Db, secrets: Pick<Ctx['secrets'], 'hash' | 'verify'> }
/** `by`: the operator answers for the address; what a clinic types in is proven by mail only. */
interface Options { by: 'operator' | 'clinic' }

/**
 * A person, and a membership when a clinic is given. Somebody who has an account already becomes a member with it:
 * names and password stay as they are (`created` is false). Throws `validation_failed`, `not_found` (the clinic),
 * `user_exists`, `account_unproven`.
 */
export async function createUser({ db, secrets }: Parts, input: CreateUser, options: Options): Promise<{ id: string, created: boolean }> {
  const given = validate(Input, input) as CreateUser
  if (Boolean(given.clinic_id) !== Boolean(given.role)) {
    throw problem('validation_failed', { errors: [{ pointer: '/role', message: 'A role belongs to a clinic.' }] })
  }
  if (given.password) await checkNewPassword({ password: given.password, email: given.email, pointer: '/password' })
  const password_hash = given.password ? await hashPassword(secrets, given.password) : null
  return await db.transaction(async (tx) => {
    const user = await findOrInsert(tx, given, { ...options, password_hash })
    const joined = given.clinic_id && given.role ? await join(tx, { clinic_id: given.clinic_id, role: given.role, user_id: user.id }) : user.created
    if (!joined) throw problem('user_exists')
    return user
  })
}

async function findOrInsert(tx: Tx, { email, first_name, last_name, instance_admin }: CreateUser, { by, password_hash }: Options & { password_hash: string | null }) {
  const [inserted] = await tx.insert(coreUser)
    .values({ email, first_name: first_name ?? email.split('@')[0]!, last_name: last_name ?? '', instance_admin: instance_admin ?? false, password_hash, email_proven_at: by === 'operator' ? sql`now()` : null })
    .onConflictDoNothing()
    .returning({ id: coreUser.id })
  if (inserted) return { id: inserted.id, created: true }
  const [known] = await tx.select({ id: coreUser.id, password_hash: coreUser.password_hash, proven: coreUser.email_proven_at }).from(coreUser)
    .where(eq(coreUser.email, email)).for('update')
  if (!known!.proven && known!.password_hash) await takeOver(tx, known!, { by, password_hash })
  if (instance_admin) await tx.update(coreUser).set({ instance_admin }).where(eq(coreUser.id, known!.id))
  return { id: known!.id, created: false }
}

/**
 * Another clinic typed this address in and chose the password, so that it may not be the holder's: nobody gives such an
 * account more. The operator may put a password of their own in its place.
 */
async function takeOver(tx: Tx, { id }: { id: string }, { by, password_hash }: Options & { password_hash: string | null }): Promise<void> {
  if (by !== 'operator' || !password_hash) throw problem('account_unproven')
  await tx.update(coreUser).set({ password_hash, email_proven_at: sql`now()` }).where(eq(coreUser.id, id))
  await endSessionsOf(tx, { user_id: id })
}

async function join(tx: Tx, membership: { clinic_id: string, user_id: string, role: Role }): Promise<boolean> {
  const [clinic] = await tx.select({ id: coreClinic.id }).from(coreClinic).where(eq(coreClinic.id, membership.clinic_id))
  if (!clinic) throw problem('not_found', { detail: 'There is no such clinic.' })
  const rows = await tx.insert(coreMembership).values(membership).onConflictDoNothing().returning({ user_id: coreMembership.user_id })
  return rows.length > 0
}
