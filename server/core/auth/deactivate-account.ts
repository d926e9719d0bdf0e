import { and, eq, isNull, sql } from 'drizzle-orm'
import { problem, type Db } from '@svc/kit'
import { coreClinic, coreMailedToken, coreMembership, coreUser } from '../db/schema.ts'
import { rowsOf } from '../db/rows.ts'
import { endSessionsOf } from './sessions.ts'

export interface Deactivated { id: string, changed: boolean, /** Names of clinics that have no active administrator now. */ without_admin: string[] }

/**
 * The operator's: in every clinic at once, with the rights over the instance, all sessions and all mailed links. The last
 * administrator of a clinic too, since the account may be in wrong hands. Throws `not_found`.
 */
export async function deactivateAccount({ db }: { db: Db }, email: string): Promise<Deactivated> {
  return await db.transaction(async (tx) => {
    const [user] = await tx.select({ id: coreUser.id, instance_admin: coreUser.instance_admin }).from(coreUser).where(eq(coreUser.email, email)).for('update')
    if (!user) throw problem('not_found')
    const left = await tx.update(coreMembership).set({ active: false })
      .where(and(eq(coreMembership.user_id, user.id), eq(coreMembership.active, true)))
      .returning({ clinic_id: coreMembership.clinic_id })
    if (user.instance_admin) await tx.update(coreUser).set({ instance_admin: false }).where(eq(coreUser.id, user.id))
    await tx.update(coreMailedToken).set({ used_at: sql`now()` }).where(and(eq(coreMailedToken.user_id, user.id), isNull(coreMailedToken.used_at)))
    await endSessionsOf(tx, { user_id: user.id })
    const orphaned = await rowsOf<{ name: string }>(tx, sql`
      select c.name from ${coreClinic} c join ${coreMembership} own on own.clinic_id = c.id and own.user_id = ${user.id}
      where own.role = 'admin' and not exists (select from ${coreMembership} m where m.clinic_id = c.id and m.role = 'admin' and m.active) order by 1`)
    return { id: user.id, changed: left.length > 0 || user.instance_admin, without_admin: left.length > 0 ? orphaned.map(({ name }) => name) : [] }
  })
}
