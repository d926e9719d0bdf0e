import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { problem, type Ctx, type Db, type Tx } from '@svc/kit'
import { Password, Role } from '../../../../shared/auth.ts'
import { LANGUAGES } from '@svc/kit/schemas'
import { Email, line } from '../../../../shared/common.ts'
import { OPERATOR, type By } from './record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { clock } from '../../clock.ts'
import { coreClinic, coreMembership, coreUser } from '../../db/schema.ts'
import { validate } from '../../http/validate.ts'
import { checkNewPassword } from '../passwords/password-rules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { isSealed, sealOf, type SealingSecrets } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { hasAddress } from './has-address.ts'
import { membershipFacts, sealMembershipRow, sealUserRow, userFacts } from './write-user.ts'

const Input = z.strictObject({
  email: Email,
  first_name: line(100).optional(),
  last_name: line(100).optional(),
  /** Without one, the account waits for its invitation. */
  password: Password.nullish(),
  /** The language of the screens; an existing account keeps its own. */
  locale: z.enum(LANGUAGES).optional(),
  instance_admin: z.boolean().optional(),
  clinic_id: z.uuid().nullish(),
  role: Role.nullish()
})
export type CreateUser = z.infer<typeof Input>

interface Parts { db: Db | Tx, secrets: Pick<Ctx['secrets'], 'hash' | 'verify'> & SealingSecrets }
/** `by`: the operator vouches for the address; an address typed by a clinic is only proven by mail. */
interface Options { by: 'operator' | 'clinic', /** For the audit log. */ who?: By }

/**
 * Creates a person, and a membership if a clinic is given. An existing account keeps its names and password (`created`
 * is false); if a clinic adds its address, the membership waits for the person's answer. Throws `validation_failed`,
 * `not_found` (the clinic), `user_exists`, and for the operator `account_unproven`.
 */
export async function createUser(
  { db, secrets }: Parts,
  input: CreateUser,
  options: Options
): Promise<{ id: string, created: boolean }> {
  const given = validate(Input, input) as CreateUser
  const { clinic_id, role } = given
  if (Boolean(clinic_id) !== Boolean(role)) {
    throw problem('validation_failed', { errors: [{ pointer: '/role', message: 'A role needs a clinic.' }] })
  }
  if (given.password) await checkNewPassword({ password: given.password, email: given.email, pointer: '/password' })
  const password_hash = given.password ? await hashPassword(secrets, given.password) : null
  return await db.transaction(async (tx) => {
    const user = await findOrInsert({ tx, secrets }, given, { ...options, password_hash })
    // A person who gets a password from the clinic agrees by signing in with it.
    const agreed = options.by === 'operator' || (user.created && password_hash !== null)
    const names
      = user.created || agreed ? {} : { first_name: given.first_name ?? null, last_name: given.last_name ?? null }
    const isDone
      = clinic_id && role
        ? await join(
            { tx, secrets },
            { clinic_id, role, user_id: user.id, agreed, ...names },
            { ...options, restored: user.restored }
          )
        : user.created
    const joined = isDone || user.restored
    if (!joined) throw problem('user_exists')
    await recordAudit({ secrets }, tx, {
      clinic_id: clinic_id ?? null,
      ...options.who ?? OPERATOR,
      action: 'member_added',
      target: { kind: 'user', id: user.id },
      detail: { role: role ?? null, asked: !agreed, ...given.instance_admin ? { instance_admin: true } : {} }
    })
    return { id: user.id, created: user.created }
  })
}

interface In { tx: Tx, secrets: SealingSecrets }

async function findOrInsert(
  { tx, secrets }: In,
  { email, first_name, last_name, locale, instance_admin }: CreateUser,
  { by, password_hash }: Options & { password_hash: string | null }
) {
  const now = await clock.now(tx)
  // Its domain may have been stored in another spelling.
  const [other] = await tx.select({ email: coreUser.email }).from(coreUser).where(hasAddress(email))
  const facts = {
    id: randomUUID() as string,
    email: other?.email ?? email,
    instance_admin: instance_admin ?? false,
    password_hash,
    email_proven_at: by === 'operator' ? now : null,
    deactivated_at: null,
    factors: null,
    factors_to_review: null
  }
  const [inserted] = await tx
    .insert(coreUser)
    .values({
      ...facts,
      first_name: first_name ?? email.split('@')[0]!,
      last_name: last_name ?? '',
      locale: locale ?? null,
      seal: sealOf(secrets, 'user', facts)
    })
    .onConflictDoNothing()
    .returning({ id: coreUser.id })
  if (inserted) return { id: inserted.id, created: true, restored: false }
  const [row] = await tx.select(userFacts).from(coreUser).where(hasAddress(email)).for('update')
  const known = row!
  // The holder answers the clinic; until then, nothing of the account is changed or shown.
  if (by === 'clinic') return { id: known.id, created: false, restored: false }
  const isOwn = isSealed(secrets, 'user', known)
  const after = isOwn ? known : { ...facts, id: known.id }
  const restored = !isOwn || known.deactivated_at !== null
  if (restored || (!known.email_proven_at && known.password_hash)) {
    // A clinic typed this address and chose the password, SQL changed the row, or the operator deactivated it: it may
    // not be the holder's. The operator gives such an account no further rights, unless a new password of theirs
    // replaces the old one.
    if (!password_hash) throw problem('account_unproven')
    await endSessionsOf(tx, { user_id: known.id })
    await sealUserRow(tx, secrets, {
      ...after,
      factors_to_review: after.factors,
      password_hash,
      email_proven_at: now,
      instance_admin: instance_admin ?? after.instance_admin,
      deactivated_at: null
    })
  } else if (instance_admin) await sealUserRow(tx, secrets, { ...known, instance_admin })
  return { id: known.id, created: false, restored }
}

interface NewMembership {
  clinic_id: string
  user_id: string
  role: Role
  agreed: boolean
  first_name?: string | null
  last_name?: string | null
}

/** The operator may renew a membership that was changed outside the service, deactivated, or not answered. */
async function join(
  { tx, secrets }: In,
  { agreed, ...membership }: NewMembership,
  { by, restored }: Options & { restored: boolean }
): Promise<boolean> {
  const [clinic] = await tx
    .select({ id: coreClinic.id })
    .from(coreClinic)
    .where(eq(coreClinic.id, membership.clinic_id))
  if (!clinic) throw problem('not_found', { detail: 'There is no such clinic.' })
  const [known] = await tx
    .select(membershipFacts)
    .from(coreMembership)
    .where(and(eq(coreMembership.clinic_id, membership.clinic_id), eq(coreMembership.user_id, membership.user_id)))
  if (known && (by === 'clinic' || (isSealed(secrets, 'membership', known) && !known.asked && !restored))) return false
  await sealMembershipRow(tx, secrets, {
    ...membership,
    active: agreed,
    asked: !agreed,
    consented_at: agreed ? await clock.now(tx) : null
  })
  return true
}
