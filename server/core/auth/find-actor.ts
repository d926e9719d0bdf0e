import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Actor, Db, ModuleRequest } from '@svc/kit'
import { coreMembership, coreSession, coreToken, coreUser } from '../db/schema.ts'
import type { FindActor } from '../http/authorize.ts'
import type { Services } from '../services.ts'
import { grantedTo, METRICS_READ, MODULES_MANAGE } from './permissions.ts'
import { hashOfSecret } from './secrets.ts'
import { IDLE, LONGEST, SESSION_COOKIE, touchSession } from './sessions.ts'
import { TOKEN_PREFIX, type TokenScope } from './create-token.ts'

/** What the core's own endpoints know besides: which session the caller came with. */
export interface CoreActor extends Actor { session_hash: Buffer | null }

/** `Authorization: Bearer` with a session's value or a token, else the cookie. Role and membership are read with each request. */
export function createFindActor({ db, registry }: Pick<Services, 'db' | 'registry'>): FindActor {
  const sessionOf = prepareSession(db)
  const tokenOf = prepareToken(db)

  return async function findActor(request): Promise<CoreActor | null> {
    const found = credentialOf(request)
    if (!found) return null
    const hash = hashOfSecret(found.secret)
    if (found.via === 'bearer' && found.secret.startsWith(TOKEN_PREFIX)) {
      const [token] = await tokenOf.execute({ hash })
      return token ? toTokenActor(token) : null
    }
    const [row] = await sessionOf.execute({ hash })
    // A member who was shut out of the session's clinic is out at once.
    if (!row || (row.clinic_id && !row.role && !row.instance_admin)) return null
    if (row.stale && !request.head) await touchSession(db, hash)
    return {
      user_id: row.user_id,
      clinic_id: row.role ? row.clinic_id : null,
      name: `${row.first_name} ${row.last_name}`,
      email: row.email,
      role: row.role,
      permissions: grantedTo(registry, row),
      instance_admin: row.instance_admin,
      via: found.via,
      session_hash: hash
    }
  }
}

function toTokenActor({ name, scope }: { name: string | null, scope: TokenScope }): CoreActor {
  const instance_admin = scope === 'admin'
  return {
    user_id: null, clinic_id: null, name: name ?? 'Token', email: null, role: null,
    permissions: new Set([instance_admin ? MODULES_MANAGE : METRICS_READ]), instance_admin, via: 'token', session_hash: null
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

const prepareSession = (db: Db) => db
  .select({
    user_id: coreSession.user_id,
    clinic_id: coreSession.clinic_id,
    email: coreUser.email,
    first_name: coreUser.first_name,
    last_name: coreUser.last_name,
    instance_admin: coreUser.instance_admin,
    role: coreMembership.role,
    stale: sql<boolean>`${coreSession.last_used_at} < now() - interval '1 minute'`
  })
  .from(coreSession)
  .innerJoin(coreUser, eq(coreUser.id, coreSession.user_id))
  .leftJoin(coreMembership, and(
    eq(coreMembership.user_id, coreSession.user_id), eq(coreMembership.clinic_id, coreSession.clinic_id), eq(coreMembership.active, true)
  ))
  .where(and(
    eq(coreSession.token_hash, sql.placeholder('hash')),
    isNull(coreSession.revoked_at),
    gt(coreSession.last_used_at, sql`now() - ${sql.raw(`interval '${IDLE}'`)}`),
    gt(coreSession.created_at, sql`now() - ${LONGEST}::interval`)
  ))
  .prepare('core_find_session')

const prepareToken = (db: Db) => db
  .select({ name: coreToken.name, scope: coreToken.scope })
  .from(coreToken)
  .where(and(
    eq(coreToken.token_hash, sql.placeholder('hash')),
    isNull(coreToken.revoked_at),
    or(isNull(coreToken.expires_at), gt(coreToken.expires_at, sql`now()`))
  ))
  .prepare('core_find_token')
