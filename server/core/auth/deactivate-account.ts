import { and, eq, or, sql } from 'drizzle-orm'
import { problem, type Db } from '@svc/kit'
import { coreClinic, coreMembership, coreUser } from '../db/schema.ts'
import { rowsOf } from '../db/rows.ts'
import { useUp } from './mailed-tokens.ts'
import { isSealed, type SealingSecrets } from './row-seals.ts'
import { endSessionsOf } from './sessions.ts'
import { membershipFacts, sealMembershipRow, sealUserRow, userFacts } from './write-user.ts'

export interface Deactivated { id: string, changed: boolean, /** Names of clinics that have no active administrator now. */ without_admin: string[] }

/**
 * The operator's: in every clinic at once, with the rights over the instance, all sessions and all mailed links. The last
 * administrator of a clinic too, since the account may be in wrong hands. What SQL changed gets no seal by it. Throws `not_found`.
 */
export async function deactivateAccount({ db, secrets }: { db: Db, secrets: SealingSecrets }, email: string): Promise<Deactivated> {
  return await db.transaction(async (tx) => {
    const [user] = await tx.select(userFacts).from(coreUser).where(eq(coreUser.email, email)).for('update')
    if (!user) throw problem('not_found')
    const isActive = and(eq(coreMembership.user_id, user.id), or(coreMembership.active, coreMembership.asked))
    const left = await tx.select(membershipFacts).from(coreMembership).where(isActive).for('update')
    for (const row of left.filter(row => isSealed(secrets, 'membership', row))) await sealMembershipRow(tx, secrets, { ...row, active: false, asked: false })
    await tx.update(coreMembership).set({ active: false, asked: false }).where(isActive)
    if (user.instance_admin && isSealed(secrets, 'user', user)) await sealUserRow(tx, secrets, { ...user, instance_admin: false })
    else if (user.instance_admin) await tx.update(coreUser).set({ instance_admin: false }).where(eq(coreUser.id, user.id))
    await useUp(tx, { user_id: user.id })
    await endSessionsOf(tx, { user_id: user.id })
    const orphaned = await rowsOf<{ name: string }>(tx, sql`
      select c.name from ${coreClinic} c join ${coreMembership} own on own.clinic_id = c.id and own.user_id = ${user.id}
      where own.role = 'admin' and not exists (select from ${coreMembership} m where m.clinic_id = c.id and m.role = 'admin' and m.active) order by 1`)
    return { id: user.id, changed: left.length > 0 || user.instance_admin, without_admin: left.length > 0 ? orphaned.map(({ name }) => name) : [] }
  })
}
