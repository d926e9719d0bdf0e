import { and, eq } from 'drizzle-orm'
import { problem, type Actor, type Db } from '@svc/kit'
import type { Me } from '../../../../shared/auth.ts'
import { coreClinic, coreMembership, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { grantedTo } from '../../permissions.ts'
import { isSealed } from '../seals/row-seals.ts'
import { membershipFacts } from './write-user.ts'

const inShort = {
  id: coreClinic.id,
  name: coreClinic.name,
  currency: coreClinic.currency,
  time_zone: coreClinic.time_zone,
  locale: coreClinic.locale
}

/** A person's data for the screens, in their current clinic. */
export async function describeMe(
  { db, registry, secrets }: Pick<Host, 'db' | 'registry' | 'secrets'>,
  { user_id, clinic_id }: { user_id: string, clinic_id: string | null }
): Promise<Me> {
  const [user] = await db
    .select({
      id: coreUser.id,
      email: coreUser.email,
      first_name: coreUser.first_name,
      last_name: coreUser.last_name,
      instance_admin: coreUser.instance_admin
    })
    .from(coreUser)
    .where(eq(coreUser.id, user_id))
  const rows = await db
    .select({ clinic: inShort, facts: membershipFacts })
    .from(coreMembership)
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
    .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.active, true)))
    .orderBy(coreClinic.name, coreClinic.id)
  const memberships = rows
    .filter(({ facts }) => isSealed(secrets, 'membership', facts))
    .map(({ clinic, facts }) => ({ clinic, role: facts.role }))
  const here = memberships.find(({ clinic }) => clinic.id === clinic_id)
  const role = here?.role ?? null
  return {
    user: user!,
    clinic: here?.clinic ?? null,
    role,
    permissions: [...grantedTo(registry, { role, instance_admin: user!.instance_admin })].sort(),
    clinics: memberships.map(({ clinic, role }) => ({ id: clinic.id, name: clinic.name, role }))
  }
}

/** For a token: its permissions in its clinic, without the other data of its creator. */
export const withinToken = (me: Me, { token_id, permissions }: Actor): Me =>
  token_id
    ? {
        ...me,
        user: { ...me.user, instance_admin: false },
        permissions: [...permissions].sort(),
        clinics: me.clinics.filter(({ id }) => id === me.clinic?.id)
      }
    : me

/** Saves a person's settings of their own screens. */
export async function changeMe(
  db: Db,
  { user_id, locale }: { user_id: string, locale: string | null }
): Promise<void> {
  await db.update(coreUser).set({ locale }).where(eq(coreUser.id, user_id))
}

/** A token belongs to no person: `permission_denied`. */
export function userOf(actor: Actor): string {
  if (!actor.user_id) throw problem('permission_denied', { detail: 'This token does not belong to a person.' })
  return actor.user_id
}
