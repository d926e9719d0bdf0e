import { and, asc, eq, ilike, or, sql, type SQL } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import type { Role, User } from '../../../../shared/auth.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { By } from './record-account.ts'
import { coreMembership, coreUser } from '../../db/schema.ts'
import { isSealed, type SealingSecrets } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import type { Notice } from '../mail/notice-texts.ts'
import { membershipFacts, sealMembershipRow } from './write-user.ts'

/** As the clinic typed them until the person agrees, so that an account from elsewhere looks like a new one. */
const firstName = sql<string>`coalesce(${coreMembership.first_name}, ${coreUser.first_name})`
const lastName = sql<string>`coalesce(${coreMembership.last_name}, ${coreUser.last_name})`

const columns = {
  id: coreUser.id,
  email: coreUser.email,
  first_name: firstName,
  last_name: lastName,
  role: coreMembership.role,
  active: sql<boolean>`(${coreMembership.active} or ${coreMembership.asked})`,
  invited: sql<boolean>`(${coreMembership.consented_at} is null or ${coreUser.signed_in_at} is null)`,
  created_at: coreMembership.created_at
}
type Row = Omit<User, 'created_at'> & { created_at: Date }

export interface UserFilter { page: number, page_size: number, search?: string, active?: boolean }

/** One page, by last name; `total` counts all pages. */
export async function listUsers(
  db: Db,
  clinic_id: string,
  { page, page_size, search, active }: UserFilter
): Promise<{ rows: Row[], total: number }> {
  const where = and(
    eq(coreMembership.clinic_id, clinic_id),
    active === undefined ? undefined : eq(columns.active, active),
    search ? matching(search) : undefined
  )
  const rows = await db
    .select({ ...columns, total: sql<number>`count(*) over ()::int` })
    .from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id))
    .where(where)
    .orderBy(asc(lastName), asc(firstName), asc(coreUser.id))
    .limit(page_size)
    .offset((page - 1) * page_size)
  if (rows.length > 0 || page === 1) return { rows, total: rows[0]?.total ?? 0 }
  return { rows, total: (await listUsers(db, clinic_id, { page: 1, page_size: 1, search, active })).total }
}

function matching(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(ilike(coreUser.email, pattern), ilike(sql`${firstName} || ' ' || ${lastName}`, pattern))
}

/** Throws `not_found`, also for people of another clinic. */
export async function getUser(db: Db | Tx, { clinic_id, id }: { clinic_id: string, id: string }): Promise<Row> {
  const [row] = await db.select(columns).from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id))
    .where(and(eq(coreMembership.clinic_id, clinic_id), eq(coreMembership.user_id, id)))
  if (!row) throw problem('not_found')
  return row
}

/** Deactivating ends the person's sessions in the clinic. Throws `not_found`, `last_admin` or `wrong_state`. */
export async function changeUser(
  { db, secrets }: { db: Db, secrets: SealingSecrets },
  { clinic_id, id, change, who }: { clinic_id: string, id: string, change: { role?: Role, active?: boolean }, who: By }
): Promise<Row & { notice: Notice | null }> {
  return await db.transaction(async (tx) => {
    // Locks all administrators of the clinic: two of them who demote each other must not both succeed.
    const rows = await tx
      .select(membershipFacts)
      .from(coreMembership)
      .where(
        and(eq(coreMembership.clinic_id, clinic_id), eq(coreMembership.role, 'admin'), eq(coreMembership.active, true))
      )
      .orderBy(coreMembership.user_id)
      .for('update')
    // An administrator added by SQL does not count.
    const admins = rows.filter(row => isSealed(secrets, 'membership', row))
    const before = await getUser(tx, { clinic_id, id })
    const { isOwn, consented_at, isDeactivated } = await findStanding(tx, secrets, { clinic_id, user_id: id })
    if (!isOwn && change.role === undefined)
      throw problem('wrong_state', { detail: 'This membership was changed in the database. Set the role again first.' })
    if (change.active && consented_at && isDeactivated)
      throw problem('wrong_state', {
        detail: 'The operator of the service deactivated this account. Ask them to activate it.'
      })
    // Setting the same role again does not show whether the person was activated.
    const after = { role: change.role ?? before.role, active: change.active ?? (isOwn && before.active) }
    const staysAdmin = after.active && after.role === 'admin'
    if (!staysAdmin && admins.length === 1 && admins[0]!.user_id === id) throw problem('last_admin')
    await sealMembershipRow(tx, secrets, {
      clinic_id,
      user_id: id,
      role: after.role,
      consented_at,
      ...memberState(after.active, consented_at !== null)
    })
    if (!after.active) await endSessionsOf(tx, { user_id: id, clinic_id })
    await recordAudit({ secrets }, tx, {
      clinic_id,
      ...who,
      action: before.active && !after.active ? 'member_removed' : 'member_changed',
      target: { kind: 'user', id },
      detail: { role: after.role, active: after.active, role_before: before.role, active_before: before.active }
    })
    return { ...before, ...after, notice: consented_at === null ? null : noticeOf(before, after) }
  })
}

/** The notice for the person. Before they have agreed, nothing changes for them. */
function noticeOf(before: MemberState, after: MemberState): Notice | null {
  if (before.active && !after.active) return 'membership_ended'
  return before.active !== after.active || before.role !== after.role ? 'membership_changed' : null
}
type MemberState = Pick<Row, 'role' | 'active'>

/** A person who has not agreed yet is invited, or no longer invited; only their answer activates the membership. */
const memberState = (wanted: boolean, hasAgreed: boolean) =>
  ({ active: hasAgreed && wanted, asked: !hasAgreed && wanted })

/** The consent in a row that was changed outside the service does not count. */
async function findStanding(
  tx: Tx,
  secrets: SealingSecrets,
  { clinic_id, user_id }: { clinic_id: string, user_id: string }
) {
  const [row] = await tx
    .select({ facts: membershipFacts, deactivated_at: coreUser.deactivated_at })
    .from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id))
    .where(and(eq(coreMembership.clinic_id, clinic_id), eq(coreMembership.user_id, user_id)))
  const isOwn = row !== undefined && isSealed(secrets, 'membership', row.facts)
  return { isOwn, consented_at: isOwn ? row.facts.consented_at : null, isDeactivated: Boolean(row?.deactivated_at) }
}
