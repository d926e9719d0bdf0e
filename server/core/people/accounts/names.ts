import { and, eq, sql } from 'drizzle-orm'
import type { Ctx, Db } from '@svc/kit'
import { isSealed, type SealingSecrets } from '../seals/row-seals.ts'
import { isUsable, membershipFacts, userFacts } from './write-user.ts'
import { rowsOf } from '../../db/rows.ts'
import { isLive, markOf } from '../sessions/sessions.ts'
import { coreMembership, coreSession, coreUser } from '../../db/schema.ts'

export function createUsers(db: Db, secrets: SealingSecrets): Ctx['users'] {
  return {
    /** Unknown ids are left out. */
    async names(ids, tx = db) {
      if (ids.length === 0) return new Map()
      const rows = await rowsOf<{ id: string, name: string }>(tx, sql`
        select id::text, first_name || ' ' || last_name as name from core_user
        where id = any(array(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)))`)
      return new Map(rows.map(row => [row.id, row.name]))
    },
    async email(clinic_id, id) {
      const [row] = await db.select({ user: userFacts, membership: membershipFacts }).from(coreUser)
        .innerJoin(coreMembership, eq(coreMembership.user_id, coreUser.id))
        .where(and(eq(coreUser.id, id), eq(coreMembership.clinic_id, clinic_id), eq(coreMembership.active, true)))
      const isOwn = row && isUsable(secrets, row.user) && isSealed(secrets, 'membership', row.membership)
      return isOwn ? row.user.email : null
    },
    async hasSession({ clinic_id, user_id, session_mark }) {
      const rows = await db
        .select({ session: coreSession, user: userFacts, membership: membershipFacts })
        .from(coreSession)
        .innerJoin(coreUser, eq(coreUser.id, coreSession.user_id))
        .innerJoin(
          coreMembership,
          and(eq(coreMembership.user_id, coreUser.id), eq(coreMembership.clinic_id, coreSession.clinic_id))
        )
        .where(and(
          eq(coreSession.user_id, user_id),
          eq(coreSession.clinic_id, clinic_id),
          eq(coreMembership.active, true),
          isLive()
        ))
      return rows.some(({ session, user, membership }) =>
        markOf(session.token_hash) === session_mark
        && isSealed(secrets, 'session', session)
        && isUsable(secrets, user)
        && isSealed(secrets, 'membership', membership)
      )
    }
  }
}
