import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db, ModuleRequest } from '@svc/kit'
import { coreClinic, coreMembership, coreSession, coreToken, coreUser } from '../db/schema.ts'
import type { CoreActor, FindActor } from '../http/types.ts'
import type { Host } from '../host.ts'
import { findDue } from './factors/demand.ts'
import { grantedTo, METRICS_READ, MODULES_MANAGE } from '../permissions.ts'
import { isSealed, preparedLookUp } from './seals/row-seals.ts'
import { isLive, markOf, SESSION_COOKIE, sessionFacts, touchSession } from './sessions/sessions.ts'
import { TOKEN_PREFIX, type TokenScope } from './tokens/create-token.ts'
import { createFindTokenActor } from './tokens/find-token-actor.ts'
import { isUsable, membershipFacts, userFacts } from './accounts/write-user.ts'

/**
 * `Authorization: Bearer` with a session's value or a token, otherwise the cookie. Role and membership are read with
 * each request.
 */
export function createFindActor(
  { db, registry, secrets, config }: Pick<Host, 'db' | 'registry' | 'secrets' | 'config'>
): FindActor {
  const lookUp = preparedLookUp(secrets)
  const sessionOf = prepareSession(db, lookUp)
  const tokenOf = prepareToken(db, lookUp)
  const findTokenActor = createFindTokenActor({ db, registry, secrets, config }, lookUp)

  return async function findActor(request): Promise<CoreActor | null> {
    const found = credentialOf(request)
    if (!found) return null
    const hashes = lookUp.parameters(found.secret)
    if (found.via === 'bearer' && found.secret.startsWith(TOKEN_PREFIX)) {
      const ofClinic = await findTokenActor(hashes, request.head)
      if (ofClinic) return ofClinic
      const [token] = await tokenOf.execute(hashes)
      return token && isSealed(secrets, 'token', token) ? toTokenActor(token) : null
    }
    const [row] = await sessionOf.execute(hashes)
    if (!row || !isSealed(secrets, 'session', row.session) || !isUsable(secrets, row.user)) return null
    const { user, session: { clinic_id, token_hash, created_at, way } } = row
    const role = row.membership && isSealed(secrets, 'membership', row.membership) ? row.membership.role : null
    // Deactivating a member of the session's clinic takes effect at once.
    if (clinic_id && !role && !user.instance_admin) return null
    if (row.stale && !request.head) await touchSession(db, token_hash)
    return {
      user_id: user.id,
      clinic_id: role ? clinic_id : null,
      name: `${row.first_name} ${row.last_name}`,
      email: user.email,
      role,
      permissions: grantedTo(registry, { role, instance_admin: user.instance_admin }),
      instance_admin: user.instance_admin,
      via: found.via,
      token_id: null,
      session_mark: markOf(token_hash),
      session: { hash: token_hash, since: created_at, way },
      factor_due: role ? findDue({ ...row.demand, ...row.membership!, role, way, factors: user.factors }) : null,
      factors_to_review: user.factors_to_review !== null
    }
  }
}

function toTokenActor({ id, name, scope }: { id: string, name: string | null, scope: TokenScope }): CoreActor {
  const instance_admin = scope === 'admin'
  return {
    user_id: null, clinic_id: null, name: name ?? 'Token', email: null, role: null,
    permissions: new Set([instance_admin ? MODULES_MANAGE : METRICS_READ]), instance_admin, via: 'token', token_id: id,
    session_mark: null, session: null, factor_due: null, factors_to_review: false
  }
}

function credentialOf(request: ModuleRequest): { secret: string, via: 'bearer' | 'cookie' } | null {
  const sent = request.headers.authorization
  if (sent !== undefined) {
    const secret = /^Bearer +([\w.~+/-]{20,200}=*)$/i.exec(sent)?.[1]
    return secret ? { secret, via: 'bearer' } : null
  }
  const secret = request.cookies[SESSION_COOKIE]
  return secret ? { secret, via: 'cookie' } : null
}

type LookUp = ReturnType<typeof preparedLookUp>

const now_ms = sql<number>`extract(epoch from now())::float8 * 1000`

const prepareSession = (db: Db, lookUp: LookUp) =>
  db
    .select({
      session: sessionFacts,
      user: userFacts,
      membership: membershipFacts,
      demand: { demanded: coreClinic.second_factor, since: coreClinic.second_factor_since, now_ms },
      first_name: coreUser.first_name,
      last_name: coreUser.last_name,
      stale: sql<boolean>`${coreSession.last_used_at} < now() - interval '1 minute'`
    })
    .from(coreSession)
    .innerJoin(coreUser, eq(coreUser.id, coreSession.user_id))
    .leftJoin(
      coreMembership,
      and(
        eq(coreMembership.user_id, coreSession.user_id),
        eq(coreMembership.clinic_id, coreSession.clinic_id),
        eq(coreMembership.active, true)
      )
    )
    .leftJoin(coreClinic, eq(coreClinic.id, coreSession.clinic_id))
    .where(
      and(lookUp.isOneOf(coreSession.token_hash), isLive())
    )
    .prepare('core_find_session')

const prepareToken = (db: Db, lookUp: LookUp) =>
  db
    .select({
      token_hash: coreToken.token_hash,
      id: coreToken.id,
      name: coreToken.name,
      scope: coreToken.scope,
      expires_at: coreToken.expires_at,
      seal: coreToken.seal
    })
    .from(coreToken)
    .where(
      and(
        lookUp.isOneOf(coreToken.token_hash),
        isNull(coreToken.revoked_at),
        or(isNull(coreToken.expires_at), gt(coreToken.expires_at, sql`now()`))
      )
    )
    .prepare('core_find_token')
