import { hash } from 'node:crypto'
import { and, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { Cookie, Db, Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import { coreSession } from '../../db/schema.ts'
import type { SignInWay } from '../../http/types.ts'
import { WITHOUT_STANDBY } from '../../db/without-standby.ts'
import { lookUpOf, noLookUp, sealOf, type SealingSecrets } from '../seals/row-seals.ts'
import { newSecret } from '../new-secret.ts'
import { endStepsOf } from '../sign-in/sign-in-steps.ts'

export const SESSION_COOKIE = 'svc_session'
/** A session ends after this time without use. */
const IDLE = '12 hours'
/** The maximum time after the sign-in, however often the session is used. */
const MAX_AGE = '30 days'

/** Not ended, used recently, and not too old, by the database's clock. */
export const isLive = (): SQL =>
  and(
    isNull(coreSession.revoked_at),
    gt(coreSession.last_used_at, sql`now() - ${sql.raw(`interval '${IDLE}'`)}`),
    gt(coreSession.created_at, sql`now() - ${MAX_AGE}::interval`)
  )!

export const sessionFacts = {
  token_hash: coreSession.token_hash,
  user_id: coreSession.user_id,
  clinic_id: coreSession.clinic_id,
  created_at: coreSession.created_at,
  way: coreSession.way,
  browser: coreSession.browser,
  confirmed_at: coreSession.confirmed_at,
  confirmed_by: coreSession.confirmed_by,
  enrol_until: coreSession.enrol_until,
  seal: coreSession.seal
}

/** Identifies a session for modules, and opens nothing. */
export const markOf = (token_hash: Buffer): string => hash('sha256', token_hash, 'base64url')

/** `secret` is the cookie's value and works as a bearer token. Only the caller knows it. */
export interface NewSession { secret: string, expires_at: Date }

interface SessionOf {
  user_id: string
  /** Null for a person without an active clinic. */
  clinic_id: string | null
  /**
   * When the session began that this one continues, so that it ends when that one would have. Omitted after a new
   * sign-in.
   */
  since?: Date
  way?: SignInWay | null
  /** In the form of `browserOf`. */
  browser?: string | null
  /** The person's proofs, and those of a link: `confirmation/proofs.ts`. */
  confirmed?: Confirmed
}

/** The columns of a session. */
export type Confirmed = Pick<typeof coreSession.$inferSelect, 'confirmed_at' | 'confirmed_by' | 'enrol_until'>
const NOTHING: Confirmed = { confirmed_at: null, confirmed_by: null, enrol_until: null }

export async function createSession(
  { db, secrets }: { db: Db | Tx, secrets: SealingSecrets },
  { user_id, clinic_id, since, way = null, browser = null, confirmed = NOTHING }: SessionOf
): Promise<NewSession> {
  const secret = newSecret()
  const session = {
    token_hash: lookUpOf(secrets, secret),
    user_id,
    clinic_id,
    created_at: since ?? (await clock.now(db)),
    way,
    ...confirmed
  }
  const [row] = await db
    .insert(coreSession)
    .values({ ...session, browser, seal: sealOf(secrets, 'session', session) })
    .returning({ expires_at: sql<string>`${coreSession.last_used_at} + ${sql.raw(`interval '${IDLE}'`)}` })
  return { secret, expires_at: new Date(row!.expires_at) }
}

/**
 * At most once a minute, so that a session in constant use costs one write a minute. A locked row is skipped, because
 * the commit that locks it may be waiting for a standby, and a read must not wait for it.
 */
export async function touchSession(db: Db, hash: Buffer): Promise<void> {
  const free = db.select({ token_hash: coreSession.token_hash }).from(coreSession)
    .where(and(eq(coreSession.token_hash, hash), sql`${coreSession.last_used_at} < now() - interval '1 minute'`))
    .for('no key update', { skipLocked: true })
  await db.update(coreSession).set({ last_used_at: sql`now()` }).where(inArray(coreSession.token_hash, free))
    .returning({ commit: WITHOUT_STANDBY })
}

const ended = () => ({ revoked_at: sql`now()`, token_hash: noLookUp() })

/** Does nothing for a session that has already ended. */
export async function endSession(db: Db | Tx, hash: Buffer): Promise<void> {
  await db.update(coreSession).set(ended()).where(and(eq(coreSession.token_hash, hash), isNull(coreSession.revoked_at)))
}

/**
 * Ends all sessions of a person, or those in one clinic if it is given, except `keep`. Sign-ins in progress end
 * with them.
 */
export async function endSessionsOf(
  db: Db | Tx,
  { user_id, clinic_id, keep }: { user_id: string, clinic_id?: string, keep?: Buffer }
): Promise<void> {
  if (!clinic_id) await endStepsOf(db, user_id)
  await db
    .update(coreSession)
    .set(ended())
    .where(
      and(
        eq(coreSession.user_id, user_id),
        isNull(coreSession.revoked_at),
        clinic_id ? eq(coreSession.clinic_id, clinic_id) : undefined,
        keep ? ne(coreSession.token_hash, keep) : undefined
      )
    )
}

export const sessionCookie = (secret: string): Cookie => ({
  name: SESSION_COOKIE,
  value: secret,
  path: '/',
  http_only: true,
  same_site: 'lax'
})
export const noSessionCookie = (): Cookie => ({ ...sessionCookie(''), max_age: 0 })
