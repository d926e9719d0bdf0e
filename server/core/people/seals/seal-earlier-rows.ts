import { and, gt, isNull, sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { coreMailedToken, coreMembership, coreSession, coreToken, coreUser } from '../../db/schema.ts'
import { lookUpOfDigest, sealOf, type SealedKind, type SealedRows, type SealingSecrets } from './row-seals.ts'

/**
 * Runs once, in the transaction of the migration that adds the column `seal`: seals the rows of an earlier release as
 * they are. Tokens that are stored as a SHA-256 stay valid. A row that is added by SQL later has no seal and opens
 * nothing.
 */
export async function sealEarlierRows(db: Db, secrets: SealingSecrets): Promise<void> {
  const users = await db
    .select({
      id: coreUser.id,
      email: coreUser.email,
      email_proven_at: coreUser.email_proven_at,
      password_hash: coreUser.password_hash,
      instance_admin: coreUser.instance_admin
    })
    .from(coreUser)
  await save(
    db,
    sql`core_user`,
    users.map(row => ({ id: row.id, seal: sealText(secrets, 'user', { ...row, deactivated_at: null, factors: null, factors_to_review: null }) })),
    sql`kept.id = given.id::uuid`
  )

  const memberships = await db
    .select({
      clinic_id: coreMembership.clinic_id,
      user_id: coreMembership.user_id,
      role: coreMembership.role,
      active: coreMembership.active,
      consented_at: coreMembership.created_at
    }) // in the format of a later migration
    .from(coreMembership)
  await save(
    db,
    sql`core_membership`,
    memberships.map(row => ({
      id: row.user_id,
      clinic: row.clinic_id,
      seal: sealText(secrets, 'membership', { ...row, asked: false })
    })),
    sql`kept.user_id = given.id::uuid and kept.clinic_id = given.clinic::uuid`
  )

  const sessions = await db
    .select({
      token_hash: coreSession.token_hash,
      user_id: coreSession.user_id,
      clinic_id: coreSession.clinic_id,
      created_at: coreSession.created_at
    })
    .from(coreSession)
    .where(and(isNull(coreSession.revoked_at), gt(coreSession.last_used_at, sql`now() - interval '12 hours'`)))
  await saveTokens(db, secrets, { table: sql`core_session`, kind: 'session', rows: sessions.map(row => ({ ...row, way: null })) })

  const tokens = await db
    .select({
      token_hash: coreToken.token_hash,
      id: coreToken.id,
      name: coreToken.name,
      scope: coreToken.scope,
      expires_at: coreToken.expires_at
    })
    .from(coreToken)
    .where(isNull(coreToken.revoked_at))
  await saveTokens(db, secrets, { table: sql`core_token`, kind: 'token', rows: tokens })

  const mailed = await db
    .select({
      token_hash: coreMailedToken.token_hash,
      purpose: coreMailedToken.purpose,
      user_id: coreMailedToken.user_id,
      expires_at: coreMailedToken.expires_at
    })
    .from(coreMailedToken)
    .where(and(isNull(coreMailedToken.used_at), gt(coreMailedToken.expires_at, sql`now()`)))
  await saveTokens(db, secrets, {
    table: sql`core_mailed_token`,
    kind: 'mailed_token',
    rows: mailed.map(row => ({ ...row, clinic_id: null }))
  })
}

const sealText = <Kind extends SealedKind>(secrets: SealingSecrets, kind: Kind, row: SealedRows[Kind]) =>
  sealOf(secrets, kind, row).toString('hex')

type TokenKind = 'session' | 'token' | 'mailed_token'

async function saveTokens<Kind extends TokenKind>(
  db: Db,
  secrets: SealingSecrets,
  { table, kind, rows }: { table: SQL, kind: Kind, rows: SealedRows[Kind][] }
): Promise<void> {
  const given = rows.map((row) => {
    const token_hash = lookUpOfDigest(secrets, row.token_hash)
    return {
      id: row.token_hash.toString('hex'),
      seal: sealText(secrets, kind, { ...row, token_hash }),
      token_hash: token_hash.toString('hex')
    }
  })
  await save(
    db,
    table,
    given,
    sql`kept.token_hash = decode(given.id, 'hex')`,
    sql`, token_hash = decode(given.token_hash, 'hex')`
  )
}

interface EarlierRow { id: string, clinic?: string, seal: string, token_hash?: string }

async function save(db: Db, table: SQL, rows: EarlierRow[], isSame: SQL, besides: SQL = sql``): Promise<void> {
  await db.execute(sql`
    update ${table} as kept set seal = decode(given.seal, 'hex') ${besides}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (id text, clinic text, seal text, token_hash text)
    where ${isSame}`)
}
