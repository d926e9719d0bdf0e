import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Client, Db, Tx } from '@svc/kit'
import { recordAudit } from '../../audit/record-audit.ts'
import { coreMembership, coreSession, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { listAsked } from '../accounts/memberships.ts'
import { membershipFacts } from '../accounts/write-user.ts'
import { browserOf } from '../sign-in/browser-of.ts'
import { confirmedBy, type Proof } from '../confirmation/proofs.ts'
import { isSealed, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'
import type { SignInWay } from '../../http/types.ts'
import { createSession, type NewSession } from './sessions.ts'

interface Parts { db: Db | Tx, secrets: SealingSecrets }
interface In { tx: Tx, secrets: Host['secrets'] }
type User = SealedRows['user']

/** Null for a person without a clinic. */
interface Place { clinic_id: string | null }

/**
 * The clinic in which a person signs in. Null if the person has no clinic, no rights over the instance and no open
 * invitation.
 */
export async function findPlace(parts: Parts, { id, instance_admin }: User): Promise<Place | null> {
  const clinic_id = await chooseClinic(parts, id)
  if (clinic_id || instance_admin || (await isAskedSomewhere(parts, id))) return { clinic_id }
  return null
}

/**
 * Opens a session for a locked person who has given all required proofs. `shown` counts as their confirmation for a
 * while.
 */
export async function openSession(
  { tx, secrets }: In,
  { user, way, shown, client }: { user: User, way: SignInWay | null, shown: Proof[], client: Client }
): Promise<(NewSession & Place) | null> {
  const place = await findPlace({ db: tx, secrets }, user)
  if (!place) return null
  await tx
    .update(coreUser)
    .set({ signed_in_at: sql`now()` })
    .where(and(eq(coreUser.id, user.id), isNull(coreUser.signed_in_at)))
  const session = await createSession(
    { db: tx, secrets },
    {
      user_id: user.id,
      clinic_id: place.clinic_id,
      way,
      browser: browserOf(client.user_agent),
      confirmed: await confirmedBy(tx, shown)
    }
  )
  await recordAudit({ secrets }, tx, {
    ...place,
    actor: { type: 'user', id: user.id, name: null },
    action: 'sign_in',
    target: { kind: 'user', id: user.id },
    detail: { way: way ?? 'password' },
    client
  })
  return { ...session, ...place }
}

/** A person with an open invitation can sign in to answer it. */
const isAskedSomewhere = async (parts: Parts, user_id: string) => (await listAsked(parts, { user_id })).length > 0

/** The clinic of the last session if the person is still a member, otherwise the one joined first. */
async function chooseClinic({ db, secrets }: Parts, user_id: string): Promise<string | null> {
  const lastUsed = db.select({ clinic_id: coreSession.clinic_id, at: sql`max(${coreSession.last_used_at})`.as('at') })
    .from(coreSession).where(eq(coreSession.user_id, user_id)).groupBy(coreSession.clinic_id).as('last_used')
  const rows = await db.select(membershipFacts)
    .from(coreMembership)
    .leftJoin(lastUsed, eq(lastUsed.clinic_id, coreMembership.clinic_id))
    .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.active, true)))
    .orderBy(sql`${desc(lastUsed.at)} nulls last`, coreMembership.created_at, coreMembership.clinic_id)
  return rows.find(row => isSealed(secrets, 'membership', row))?.clinic_id ?? null
}
