import { eq, isNull, sql } from 'drizzle-orm'
import type { Db, Finding } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { coreClinic, coreMembership, coreToken, coreUser } from '../db/schema.ts'
import { isSealed, type SealingSecrets } from './row-seals.ts'
import { membershipFacts, userFacts } from './write-user.ts'

/** Rows of people, memberships and tokens that were made or changed past the service: they are not valid, and the doctor names them. */
export async function aboutSealedRows(db: Db, secrets: SealingSecrets): Promise<Finding[]> {
  if (!await hasSeals(db)) return [] // the next start makes them
  const users = await db.select(userFacts).from(coreUser)
  const memberships = await db.select({ ...membershipFacts, email: coreUser.email, clinic: coreClinic.name }).from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id)).innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
  const tokens = await db
    .select({ token_hash: coreToken.token_hash, id: coreToken.id, name: coreToken.name, scope: coreToken.scope, expires_at: coreToken.expires_at, seal: coreToken.seal })
    .from(coreToken).where(isNull(coreToken.revoked_at))
  return [
    ...users.filter(row => !isSealed(secrets, 'user', row)).map(({ id, email, instance_admin }) => ({
      code: 'user_changed',
      object: `user ${id}`,
      message: `The email address (${email}), the password or the rights of this account were changed in the database. Nobody can sign in to it.`,
      fix: `Check the address, then give a new password: svc user create --email ${email} ${instance_admin ? '--instance-admin' : '--clinic <clinic> --role <role>'}`
    })),
    ...memberships.filter(row => !isSealed(secrets, 'membership', row)).map(({ user_id, email, clinic_id, clinic, role }) => ({
      code: 'membership_changed',
      object: `membership of user ${user_id}`,
      message: `The role (${role}) of ${email} in ${clinic} was changed in the database. It gives no rights.`,
      fix: `Set the role again: svc user create --email ${email} --clinic ${clinic_id} --role <role>, or remove the row.`
    })),
    ...tokens.filter(row => !isSealed(secrets, 'token', row)).map(({ id }) => ({
      code: 'token_changed',
      object: `token ${id}`,
      message: 'This API token was made or changed in the database. It opens nothing.',
      fix: `svc token revoke ${id}`
    }))
  ]
}

async function hasSeals(db: Db): Promise<boolean> {
  const rows = await rowsOf(db, sql`select from information_schema.columns where table_schema = current_schema() and table_name = 'core_user' and column_name = 'seal'`)
  return rows.length > 0
}
