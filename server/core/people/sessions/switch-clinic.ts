import { and, eq, isNull } from 'drizzle-orm'
import { problem, type Client, type Tx } from '@svc/kit'
import { recordAudit } from '../../audit/record-audit.ts'
import { coreMembership, coreSession } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import type { CoreActor } from '../../http/types.ts'
import { userOf } from '../accounts/me.ts'
import { isSealed, sealOf, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'
import { createSession, endSession, sessionFacts, type Confirmed, type NewSession } from './sessions.ts'
import { lockUser, membershipFacts } from '../accounts/write-user.ts'

/**
 * A browser gets a new session and the old one ends. A bearer token can't be replaced without the program's knowledge,
 * so its session moves to the clinic (null). Throws `not_found` for a clinic of which the person isn't a member, and
 * `unauthorized` if the session ended meanwhile: whatever ends all sessions of a person must also end the new one.
 */
export async function switchClinic(
  { db, secrets }: Pick<Host, 'db' | 'secrets'>,
  { actor, clinic_id, client }: { actor: CoreActor, clinic_id: string, client: Client }
): Promise<NewSession | null> {
  const user_id = userOf(actor)
  const { hash } = actor.session!
  return await db.transaction(async (tx) => {
    await lockUser(tx, user_id)
    const [session] = await tx
      .select(sessionFacts)
      .from(coreSession)
      .where(and(eq(coreSession.token_hash, hash), isNull(coreSession.revoked_at)))
    if (!session || !isSealed(secrets, 'session', session)) throw problem('unauthorized')
    const [member] = await tx
      .select(membershipFacts)
      .from(coreMembership)
      .where(
        and(
          eq(coreMembership.user_id, user_id),
          eq(coreMembership.clinic_id, clinic_id),
          eq(coreMembership.active, true)
        )
      )
    if (!member || !isSealed(secrets, 'membership', member))
      throw problem('not_found', { detail: 'You do not belong to this clinic.' })
    const moved = { ...session, clinic_id }
    const opened = actor.via === 'bearer'
      ? await moveSession(tx, secrets, moved)
      : await renewSession(tx, secrets, moved)
    const target = { kind: 'user', id: user_id }
    const detail = { way: 'switch' }
    await recordAudit({ secrets }, tx, { clinic_id, actor, action: 'sign_in', target, detail, client })
    return opened
  })
}

type MovedSession = SealedRows['session'] & Confirmed & { browser: string | null }

async function moveSession(tx: Tx, secrets: SealingSecrets, moved: MovedSession): Promise<null> {
  await tx
    .update(coreSession)
    .set({ clinic_id: moved.clinic_id, seal: sealOf(secrets, 'session', moved) })
    .where(eq(coreSession.token_hash, moved.token_hash))
  return null
}

async function renewSession(
  tx: Tx,
  secrets: SealingSecrets,
  {
    token_hash, user_id, clinic_id, created_at: since, way, browser, confirmed_at, confirmed_by, enrol_until
  }: MovedSession
): Promise<NewSession> {
  await endSession(tx, token_hash)
  const confirmed = { confirmed_at, confirmed_by, enrol_until }
  return await createSession({ db: tx, secrets }, { user_id, clinic_id, since, way, browser, confirmed })
}
