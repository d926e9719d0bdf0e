import { and, eq, inArray, or } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import { OPERATOR } from './record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { clock } from '../../clock.ts'
import { coreClinic, coreMembership, coreUser } from '../../db/schema.ts'
import { useUp } from '../mail/mailed-tokens.ts'
import { isSealed, type SealingSecrets } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { hasAddress } from './has-address.ts'
import { membershipFacts, sealMembershipRow, sealUserRow, userFacts } from './write-user.ts'

export interface Deactivated {
  id: string
  changed: boolean
  /** Names of clinics that now have no active administrator. */ without_admin: string[]
}

/**
 * Deactivates an account for the operator: in every clinic at once, with its rights over the instance, all sessions and
 * all mailed links. Applies even to the last administrator of a clinic, since the account may be compromised, and lasts
 * until the operator sets a new password (`createUser`). Changes by SQL are not sealed by it. Throws `not_found`.
 */
export async function deactivateAccount(
  { db, secrets }: { db: Db, secrets: SealingSecrets },
  email: string
): Promise<Deactivated> {
  return await db.transaction(async (tx) => {
    const [user] = await tx.select(userFacts).from(coreUser).where(hasAddress(email)).for('update')
    if (!user) throw problem('not_found')
    const isActive = and(eq(coreMembership.user_id, user.id), or(coreMembership.active, coreMembership.asked))
    const left = await tx.select(membershipFacts).from(coreMembership).where(isActive).for('update')
    for (const row of left.filter(row => isSealed(secrets, 'membership', row)))
      await sealMembershipRow(tx, secrets, { ...row, active: false, asked: false })
    await tx.update(coreMembership).set({ active: false, asked: false }).where(isActive)
    const after = { ...user, instance_admin: false, deactivated_at: user.deactivated_at ?? (await clock.now(tx)) }
    if (isSealed(secrets, 'user', user)) await sealUserRow(tx, secrets, after)
    else
      await tx
        .update(coreUser)
        .set({ instance_admin: false, deactivated_at: after.deactivated_at })
        .where(eq(coreUser.id, user.id))
    await useUp(tx, { user_id: user.id })
    await endSessionsOf(tx, { user_id: user.id })
    const without_admin = await listWithoutAdmin(
      { tx, secrets },
      left.filter(({ role }) => role === 'admin').map(({ clinic_id }) => clinic_id)
    )
    const ended: (string | null)[] = left.map(({ clinic_id }) => clinic_id).sort()
    for (const clinic_id of user.instance_admin ? [null, ...ended] : ended) {
      const target = { kind: 'user', id: user.id }
      await recordAudit({ secrets }, tx, { clinic_id, ...OPERATOR, action: 'member_removed', target })
    }
    return { id: user.id, changed: left.length > 0 || user.instance_admin || !user.deactivated_at, without_admin }
  })
}

async function listWithoutAdmin(
  { tx, secrets }: { tx: Tx, secrets: SealingSecrets },
  ids: string[]
): Promise<string[]> {
  const clinics = await tx
    .select({ id: coreClinic.id, name: coreClinic.name })
    .from(coreClinic)
    .where(inArray(coreClinic.id, ids))
    .orderBy(coreClinic.name)
  const admins = await tx
    .select(membershipFacts)
    .from(coreMembership)
    .where(
      and(inArray(coreMembership.clinic_id, ids), eq(coreMembership.role, 'admin'), eq(coreMembership.active, true))
    )
  const led = new Set(admins.filter(row => isSealed(secrets, 'membership', row)).map(({ clinic_id }) => clinic_id))
  return clinics.filter(({ id }) => !led.has(id)).map(({ name }) => name)
}
