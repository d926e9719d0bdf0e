import { and, eq, ne, type SQL } from 'drizzle-orm'
import { problem, type Actor, type AuditActor, type Client, type Tx } from '@svc/kit'
import { coreMembership, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { getUser } from '../accounts/users.ts'
import { userFacts } from '../accounts/write-user.ts'
import { isSealed, type SealedRows } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { dropFactors } from './factors.ts'
import { recordFactor } from './record-factor.ts'
import { endRecoveryCodes } from './recovery-codes.ts'

type Needs = Pick<Host, 'db' | 'secrets'>
interface In { tx: Tx, secrets: Host['secrets'] }

/**
 * By another administrator of the clinic, for a person who lost phone and recovery codes. The account must belong only
 * to this clinic: a clinic that may have chosen the account's password must not gain access to another clinic or the
 * instance. Throws `not_found`, `wrong_state` or `factor_operator_only`.
 */
export async function resetFactorOfMember(
  { db, secrets }: Needs,
  { clinic_id, id, actor, client }: { clinic_id: string, id: string, actor: Actor, client: Client }
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await checkHelp({ tx, secrets }, { clinic_id, id, by: actor.user_id })
    if (!user.factors) throw problem('wrong_state', { detail: 'This person has no second factor.' })
    await reset({ tx, secrets }, user, { clinic_id, actor, client })
  })
}

/**
 * Whether an administrator of the clinic may reset the person's second factor. The person must be locked. Throws
 * `not_found`, `wrong_state` or `factor_operator_only`.
 */
export async function checkHelp(
  { tx, secrets }: In,
  { clinic_id, id, by }: Key & { by: string | null }
): Promise<SealedRows['user']> {
  const [user] = await tx.select(userFacts).from(coreUser).where(eq(coreUser.id, id)).for('update')
  const member = await getUser(tx, { clinic_id, id })
  if (id === by) throw problem('wrong_state', { detail: 'Another administrator must reset your second factor.' })
  // A person who has not agreed reveals nothing of their account to the inviting clinic.
  if (!(await isActiveIn(tx, { clinic_id, id: member.id })))
    throw problem('wrong_state', { detail: 'This person is not an active member of the clinic.' })
  if (user!.instance_admin || !isSealed(secrets, 'user', user!) || (await worksElsewhere(tx, { clinic_id, id })))
    throw problem('factor_operator_only')
  return user!
}

/** By the operator. False if there was none. Throws `not_found`, and an error for a row changed by SQL. */
export async function resetFactor({ db, secrets }: Needs, email: string): Promise<{ id: string, changed: boolean }> {
  return await db.transaction(async (tx) => {
    const [user] = await tx.select(userFacts).from(coreUser).where(hasAddress(email)).for('update')
    if (!user) throw problem('not_found')
    const by = { clinic_id: null, actor: { type: 'system', id: null, name: 'svc user reset-factor' }, client: null } as const
    if (user.factors) await reset({ tx, secrets }, user, by)
    return { id: user.id, changed: user.factors !== null }
  })
}

interface By { clinic_id: string | null, actor: Actor | AuditActor, client: Client | null }

async function reset({ tx, secrets }: In, user: SealedRows['user'], by: By): Promise<void> {
  await dropFactors({ tx, secrets }, user)
  await endRecoveryCodes(tx, user.id)
  await endSessionsOf(tx, { user_id: user.id })
  await recordFactor({ tx, secrets }, { ...by, action: 'factor_removed', user_id: user.id, kind: 'all' })
}

interface Key { clinic_id: string, id: string }

const isActiveIn = (tx: Tx, { clinic_id, id }: Key) => hasActive(tx, id, eq(coreMembership.clinic_id, clinic_id))

/** An unanswered invitation of another clinic gives no access there, and must not prevent this one from helping. */
const worksElsewhere = (tx: Tx, { clinic_id, id }: Key) => hasActive(tx, id, ne(coreMembership.clinic_id, clinic_id))

async function hasActive(tx: Tx, id: string, where: SQL): Promise<boolean> {
  const rows = await tx
    .select({ id: coreMembership.user_id })
    .from(coreMembership)
    .where(and(eq(coreMembership.user_id, id), eq(coreMembership.active, true), where))
  return rows.length > 0
}
