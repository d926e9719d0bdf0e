import { asc, eq } from 'drizzle-orm'
import type { Actor, AuditActor, AuditEntry, Client, Db, Tx } from '@svc/kit'
import { isSealed, type SealingSecrets } from '../seals/row-seals.ts'
import { coreMembership, coreUser } from '../../db/schema.ts'
import { membershipFacts } from './write-user.ts'
import { recordAudit } from '../../audit/record-audit.ts'

/** The actor, and where the request comes from. */
export interface By { actor: Actor | AuditActor, client?: Client | null }

/** A person with access to the command line. */
export const OPERATOR: By = { actor: { type: 'system', id: null, name: 'operator' } }

export const userActor = (id: string): AuditActor => ({ type: 'user', id, name: null })

type AboutAccount = Omit<AuditEntry, 'clinic_id' | 'actor' | 'target'> & { actor?: AuditEntry['actor'] }

/**
 * Entries about an account rather than one clinic: one row for each clinic in which the person is an active member, in
 * the order of their ids. For an administrator of the instance without a clinic, the row goes into the instance's own
 * log. A clinic that still waits for the person's answer gets no row. With `former`, rows about a person who is no
 * longer a member of any clinic go to the clinics that they left.
 */
export async function entriesAbout(
  { db, secrets }: { db: Db | Tx, secrets: SealingSecrets },
  user_id: string,
  entry: AboutAccount,
  { former = false }: { former?: boolean } = {}
): Promise<AuditEntry[]> {
  const rows = await db
    .select(membershipFacts)
    .from(coreMembership)
    .where(eq(coreMembership.user_id, user_id))
    .orderBy(asc(coreMembership.clinic_id))
  const whole = rows.filter(row => isSealed(secrets, 'membership', row))
  const present = whole.filter(({ active }) => active)
  const left = former ? whole.filter(({ consented_at, asked }) => consented_at !== null && !asked) : []
  const clinics: (string | null)[] = (present.length > 0 ? present : left).map(({ clinic_id }) => clinic_id)
  if (clinics.length === 0 && (await isInstanceAdmin(db, user_id))) clinics.push(null)
  const actor = entry.actor ?? userActor(user_id)
  return clinics.map(clinic_id => ({ ...entry, clinic_id, actor, target: { kind: 'user', id: user_id } }))
}

/** Writes these entries, as the last step of the transaction. */
export async function recordAccount(
  tx: Tx,
  secrets: SealingSecrets,
  user_id: string,
  entry: AboutAccount
): Promise<void> {
  for (const row of await entriesAbout({ db: tx, secrets }, user_id, entry)) await recordAudit({ secrets }, tx, row)
}

async function isInstanceAdmin(db: Db | Tx, id: string): Promise<boolean> {
  const [user] = await db.select({ is: coreUser.instance_admin }).from(coreUser).where(eq(coreUser.id, id))
  return user?.is ?? false
}
