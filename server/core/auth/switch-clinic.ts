import { and, eq } from 'drizzle-orm'
import { problem, type Db } from '@svc/kit'
import { coreMembership, coreSession } from '../db/schema.ts'
import type { CoreActor } from './find-actor.ts'
import { userOf } from './me.ts'
import { createSession, endSession, type NewSession } from './sessions.ts'

/**
 * A browser gets a new session and the old one ends. A bearer keeps its value, which it could not exchange unseen:
 * its session moves (null). Throws `not_found` for a clinic that the person is no member of.
 */
export async function switchClinic({ db }: { db: Db }, { actor, clinic_id }: { actor: CoreActor, clinic_id: string }): Promise<NewSession | null> {
  const user_id = userOf(actor)
  const session = actor.session_hash!
  return await db.transaction(async (tx) => {
    const [member] = await tx.select({ role: coreMembership.role }).from(coreMembership)
      .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.clinic_id, clinic_id), eq(coreMembership.active, true)))
    if (!member) throw problem('not_found', { detail: 'You do not belong to this clinic.' })
    if (actor.via === 'bearer') {
      await tx.update(coreSession).set({ clinic_id }).where(eq(coreSession.token_hash, session))
      return null
    }
    await endSession(tx, session)
    return await createSession(tx, { user_id, clinic_id, continues: session })
  })
}
