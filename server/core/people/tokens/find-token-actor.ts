import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { isSealed, type preparedLookUp } from '../seals/row-seals.ts'
import type { CoreActor } from '../../http/types.ts'
import { findDue } from '../factors/demand.ts'
import { coreClinic, coreClinicToken, coreMembership, coreUser } from '../../db/schema.ts'
import { WITHOUT_STANDBY } from '../../db/without-standby.ts'
import type { Host } from '../../host.ts'
import { isUsable, membershipFacts, userFacts } from '../accounts/write-user.ts'

type LookUp = ReturnType<typeof preparedLookUp>

/** Only people may create users and give them rights: as the scope of a token, it has no effect. */
const PEOPLE_ONLY: ReadonlySet<string> = new Set(['users.manage'])

/**
 * The actor of a clinic's token: its creator, with those of its scopes that the creator has now. Null if the token is
 * unknown, expired, revoked or was changed outside the service, or if its creator is no longer a member.
 */
export function createFindTokenActor(
  { db, registry, secrets, config }: Pick<Host, 'db' | 'registry' | 'secrets' | 'config'>,
  lookUp: LookUp
) {
  const tokenOf = prepare(db, lookUp)

  return async function findTokenActor(hashes: Record<string, Buffer>, head: boolean): Promise<CoreActor | null> {
    const [row] = await tokenOf.execute(hashes)
    if (!row) return null
    const { token, user, membership } = row
    const isWhole = isSealed(secrets, 'clinic_token', token)
      && isUsable(secrets, user)
      && isSealed(secrets, 'membership', membership)
    if (!isWhole) return null
    if (row.stale && !head) await touch(db, token.id)
    const granted = registry.permissionsOf(membership.role)
    return {
      user_id: user.id,
      clinic_id: token.clinic_id,
      name: token.name,
      email: user.email,
      role: membership.role,
      permissions: new Set(token.scopes.filter(scope => granted.has(scope) && !PEOPLE_ONLY.has(scope))),
      instance_admin: false,
      via: 'token',
      token_id: token.id,
      session_mark: null,
      session: null,
      // A creator who signs in only through the provider shows the second factor there.
      factor_due: findDue({
        ...row.demand,
        ...membership,
        factors: user.factors,
        way: isProvidersAlone(config, user) ? 'provider' : null
      }),
      factors_to_review: false
    }
  }
}

const isProvidersAlone = ({ oidc }: Pick<Host['config'], 'oidc'>, { password_hash }: { password_hash: string | null }) =>
  oidc !== null && (oidc.only || password_hash === null)

/** At most once a minute, to save writes for a program that calls all the time. A locked row is skipped. */
async function touch(db: Db, id: string): Promise<void> {
  const free = db.select({ id: coreClinicToken.id }).from(coreClinicToken)
    .where(and(eq(coreClinicToken.id, id), isStale)).for('no key update', { skipLocked: true })
  await db.update(coreClinicToken).set({ last_used_at: sql`date_trunc('minute', now())` })
    .where(inArray(coreClinicToken.id, free))
    .returning({ commit: WITHOUT_STANDBY })
}

const isStale = sql<boolean>`(${coreClinicToken.last_used_at} is null
  or ${coreClinicToken.last_used_at} < date_trunc('minute', now()))`

const prepare = (db: Db, lookUp: LookUp) =>
  db
    .select({
      token: {
        token_hash: coreClinicToken.token_hash,
        id: coreClinicToken.id,
        clinic_id: coreClinicToken.clinic_id,
        user_id: coreClinicToken.user_id,
        name: coreClinicToken.name,
        scopes: coreClinicToken.scopes,
        expires_at: coreClinicToken.expires_at,
        seal: coreClinicToken.seal
      },
      user: userFacts,
      membership: membershipFacts,
      demand: {
        demanded: coreClinic.second_factor,
        since: coreClinic.second_factor_since,
        now_ms: sql<number>`extract(epoch from now())::float8 * 1000`
      },
      stale: isStale
    })
    .from(coreClinicToken)
    .innerJoin(coreUser, eq(coreUser.id, coreClinicToken.user_id))
    .innerJoin(
      coreMembership,
      and(
        eq(coreMembership.user_id, coreClinicToken.user_id),
        eq(coreMembership.clinic_id, coreClinicToken.clinic_id),
        eq(coreMembership.active, true)
      )
    )
    .innerJoin(coreClinic, eq(coreClinic.id, coreClinicToken.clinic_id))
    .where(
      and(
        lookUp.isOneOf(coreClinicToken.token_hash),
        isNull(coreClinicToken.revoked_at),
        gt(coreClinicToken.expires_at, sql`now()`)
      )
    )
    .prepare('core_find_clinic_token')
