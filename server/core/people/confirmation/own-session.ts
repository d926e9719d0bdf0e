import { and, eq } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import { coreSession } from '../../db/schema.ts'
import type { CoreActor } from '../../http/types.ts'
import { isSealed, sealOf, type SealingSecrets } from '../seals/row-seals.ts'
import { isLive, sessionFacts, type Confirmed } from '../sessions/sessions.ts'
import { addProofs, enrolUntil, type Proof } from './proofs.ts'

interface In { tx: Tx, secrets: SealingSecrets }

/**
 * The current session, locked; its person must already be locked. Throws `unauthorized` if it has ended while the
 * request waited, so that it can't escape when all sessions of the person end.
 */
export async function lockOwnSession({ tx, secrets }: In, { session }: CoreActor) {
  const [row] = await tx
    .select(sessionFacts)
    .from(coreSession)
    .where(and(eq(coreSession.token_hash, session!.hash), isLive()))
    .for('update')
  if (!row || !isSealed(secrets, 'session', row)) throw problem('unauthorized')
  return row
}

type OwnSession = Awaited<ReturnType<typeof lockOwnSession>>

export async function changeOwnSession({ tx, secrets }: In, row: OwnSession, change: Confirmed): Promise<void> {
  const { confirmed_at, confirmed_by, enrol_until } = change
  await tx
    .update(coreSession)
    .set({ confirmed_at, confirmed_by, enrol_until, seal: sealOf(secrets, 'session', { ...row, ...change }) })
    .where(eq(coreSession.token_hash, row.token_hash))
}

/** Records proofs that the person gave in another action, such as the first code of a new app. */
export async function noteProofs(parts: In, actor: CoreActor, shown: Proof[]): Promise<void> {
  const session = await lockOwnSession(parts, actor)
  await changeOwnSession(parts, session, addProofs(session, shown, await clock.now(parts.tx)))
}

/** Allows an overdue person to add a first factor in this session. */
export async function openEnrolment(parts: In, actor: CoreActor): Promise<void> {
  const session = await lockOwnSession(parts, actor)
  await changeOwnSession(parts, session, { ...session, enrol_until: enrolUntil(await clock.now(parts.tx)) })
}
