import { and, desc, eq } from 'drizzle-orm'
import { problem, type Client, type Db, type Tx } from '@svc/kit'
import { recordAccount } from '../accounts/record-account.ts'
import { coreClinic, coreSession } from '../../db/schema.ts'
import type { OwnSession } from '../../../../shared/auth.ts'
import type { Host } from '../../host.ts'
import type { CoreActor } from '../../http/types.ts'
import { userOf } from '../accounts/me.ts'
import { isSealed } from '../seals/row-seals.ts'
import { endSession, endSessionsOf, isLive, markOf } from './sessions.ts'

type Needs = Pick<Host, 'db' | 'secrets'>
type Row = Omit<OwnSession, 'since' | 'last_used_at'> & { since: Date, last_used_at: Date }

/** The current session first, then the most recently used. */
export async function listOwnSessions(host: Needs, actor: CoreActor): Promise<Row[]> {
  const rows = await liveOnes(host, userOf(actor))
  return rows
    .map(({ session, clinic_name }) => ({
      id: markOf(session.token_hash),
      browser: session.browser,
      clinic_name,
      since: session.created_at,
      last_used_at: session.last_used_at,
      current: markOf(session.token_hash) === actor.session_mark
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

async function liveOnes({ db, secrets }: { db: Db | Tx, secrets: Host['secrets'] }, user_id: string) {
  const rows = await db
    .select({ session: coreSession, clinic_name: coreClinic.name })
    .from(coreSession)
    .leftJoin(coreClinic, eq(coreClinic.id, coreSession.clinic_id))
    .where(and(eq(coreSession.user_id, user_id), isLive()))
    .orderBy(desc(coreSession.last_used_at))
  return rows.filter(({ session }) => isSealed(secrets, 'session', session))
}

interface AccountOwner { actor: CoreActor, client: Client }

/** Throws `not_found`, also for another person's session. */
export async function endOwnSession(host: Needs, { id, ...who }: AccountOwner & { id: string }): Promise<void> {
  await host.db.transaction(async (tx) => {
    const rows = await liveOnes({ ...host, db: tx }, userOf(who.actor))
    const found = rows.find(({ session }) => markOf(session.token_hash) === id)
    if (!found) throw problem('not_found')
    await endSession(tx, found.session.token_hash)
    await recordEnd(host, tx, { ...who, count: 1 })
  })
}

export async function endOtherSessions(host: Needs, who: AccountOwner): Promise<void> {
  const { actor } = who
  await host.db.transaction(async (tx) => {
    const rows = await liveOnes({ ...host, db: tx }, userOf(actor))
    const count = rows.filter(({ session }) => markOf(session.token_hash) !== actor.session_mark).length
    await endSessionsOf(tx, { user_id: userOf(actor), keep: actor.session!.hash })
    if (count > 0) await recordEnd(host, tx, { ...who, count })
  })
}

const recordEnd = ({ secrets }: Needs, tx: Tx, { actor, client, count }: AccountOwner & { count: number }) =>
  recordAccount(tx, secrets, userOf(actor), { action: 'sessions_ended', actor, client, detail: { count } })
