import { eq, isNull, sql } from 'drizzle-orm'
import type { Db, Finding } from '@svc/kit'
import { rowsOf } from '../../db/rows.ts'
import { coreClinic, coreClinicToken, coreMembership, coreToken, coreUser } from '../../db/schema.ts'
import { factorIds, listFactors } from '../factors/factors.ts'
import { isSealed, type SealedRows, type SealingSecrets } from './row-seals.ts'
import { membershipFacts, userFacts } from '../accounts/write-user.ts'

interface Known {
  secrets: SealingSecrets
  /** True if a secret of this instance is missing: rows that it sealed then look as if they had been changed. */
  lacks_secret?: boolean
}

/**
 * Rows of people, memberships and tokens that were created or changed outside the service: they are invalid, and the
 * doctor reports them.
 */
export async function checkSealedRows(db: Db, { secrets, lacks_secret = false }: Known): Promise<Finding[]> {
  if (!await hasSeals(db)) return [] // the next start adds the columns
  const users = await db.select(userFacts).from(coreUser)
  const memberships = await db
    .select({ ...membershipFacts, email: coreUser.email, clinic: coreClinic.name })
    .from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id))
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
  const tokens = await db
    .select({
      token_hash: coreToken.token_hash,
      id: coreToken.id,
      name: coreToken.name,
      scope: coreToken.scope,
      expires_at: coreToken.expires_at,
      seal: coreToken.seal
    })
    .from(coreToken)
    .where(isNull(coreToken.revoked_at))
  const clinicTokens = await db
    .select({
      token_hash: coreClinicToken.token_hash,
      id: coreClinicToken.id,
      clinic_id: coreClinicToken.clinic_id,
      user_id: coreClinicToken.user_id,
      name: coreClinicToken.name,
      scopes: coreClinicToken.scopes,
      expires_at: coreClinicToken.expires_at,
      seal: coreClinicToken.seal
    })
    .from(coreClinicToken)
    .where(isNull(coreClinicToken.revoked_at))
  const sealed = (verb: 'is' | 'are') => lacks_secret ? `${verb} sealed with the missing secret, or ` : ''
  const fixed = (fix: string) =>
    lacks_secret ? 'First add the missing secret (see secret_missing), restart, and run the doctor again.' : fix
  return [
    ...await checkFactors({ db, secrets }, users, fixed),
    ...users
      .filter(row => !isSealed(secrets, 'user', row))
      .map(({ id, email, instance_admin }) => ({
        code: 'user_changed',
        object: `user ${id}`,
        message: `The email address (${email}), the password or the rights of this account ${sealed('are')}were changed in the database. It can't be used to sign in.`,
        fix: fixed(
          `Check the address, then give a new password: svc user create --email ${email} ${instance_admin ? '--instance-admin' : '--clinic <clinic> --role <role>'}`
        )
      })),
    ...memberships
      .filter(row => !isSealed(secrets, 'membership', row))
      .map(({ user_id, email, clinic_id, clinic, role }) => ({
        code: 'membership_changed',
        object: `membership of user ${user_id}`,
        message: `The role (${role}) of ${email} in ${clinic} ${sealed('is')}was changed in the database. It gives no rights.`,
        fix: fixed(
          `Set the role again: svc user create --email ${email} --clinic ${clinic_id} --role <role>, or remove the row.`
        )
      })),
    ...tokens
      .filter(row => !isSealed(secrets, 'token', row))
      .map(({ id }) => ({
        code: 'token_changed',
        object: `token ${id}`,
        message: `This API token ${sealed('is')}was made or changed in the database. It gives no access.`,
        fix: fixed(`svc token revoke ${id}`)
      })),
    ...clinicTokens
      .filter(row => !isSealed(secrets, 'clinic_token', row))
      .map(({ id, clinic_id }) => ({
        code: 'token_changed',
        object: `token ${id}`,
        message: `This API token of the clinic ${clinic_id} ${sealed('is')}was made or changed in the database. It gives no access.`,
        fix: fixed('Revoke it on the screen API tokens of the clinic, and make a new one.')
      }))
  ]
}

/** The sealed row of the account lists its factors, so that a factor removed by SQL is detected and still required. */
async function checkFactors(
  { db, secrets }: { db: Db, secrets: SealingSecrets },
  users: UserRow[],
  fixed: (fix: string) => string
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const user of users.filter(row => row.factors && isSealed(secrets, 'user', row))) {
    if ((await listFactors({ db, secrets }, user)).length === factorIds(user).length) continue
    findings.push({
      code: 'factor_changed',
      object: `user ${user.id}`,
      message: `A second factor of ${user.email} was changed or removed in the database. It can't be used, and signing in still asks for it.`,
      fix: fixed(`svc user reset-factor ${user.email}`)
    })
  }
  return findings
}
type UserRow = SealedRows['user'] & { seal: Buffer | null }

async function hasSeals(db: Db): Promise<boolean> {
  const rows = await rowsOf(db, sql`select from information_schema.columns where table_schema = current_schema() and table_name = 'core_user' and column_name = 'factors_to_review'`)
  return rows.length > 0
}
