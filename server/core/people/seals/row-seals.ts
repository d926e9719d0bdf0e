import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Ctx } from '@svc/kit'
import type {
  coreClinicToken,
  coreFactor,
  coreMailedToken,
  coreMembership,
  coreSession,
  coreSetup,
  coreSignInStep,
  coreToken,
  coreUser
} from '../../db/schema.ts'
import { hashOfSecret } from '../new-secret.ts'

export type SealingSecrets = Pick<Ctx['secrets'], 'mac' | 'macs' | 'verifyMac'>

type User = typeof coreUser.$inferSelect
type Membership = typeof coreMembership.$inferSelect
type Session = typeof coreSession.$inferSelect
type Token = typeof coreToken.$inferSelect
type ClinicToken = typeof coreClinicToken.$inferSelect
type MailedToken = typeof coreMailedToken.$inferSelect
type Setup = typeof coreSetup.$inferSelect
type Factor = typeof coreFactor.$inferSelect
type SignInStep = typeof coreSignInStep.$inferSelect

/** The columns that the service seals in each kind of row. A row that was changed outside the service is invalid. */
export interface SealedRows {
  user: Pick<
    User,
    | 'id' | 'email' | 'email_proven_at' | 'password_hash' | 'instance_admin' | 'deactivated_at'
    | 'factors' | 'factors_to_review'
  >
  membership: Pick<Membership, 'clinic_id' | 'user_id' | 'role' | 'active' | 'asked' | 'consented_at'>
  session: Pick<Session, 'token_hash' | 'user_id' | 'clinic_id' | 'created_at' | 'way'>
    & Partial<Pick<Session, 'confirmed_at' | 'confirmed_by' | 'enrol_until'>>
  token: Pick<Token, 'token_hash' | 'id' | 'name' | 'scope' | 'expires_at'>
  clinic_token: Pick<ClinicToken, 'token_hash' | 'id' | 'clinic_id' | 'user_id' | 'name' | 'scopes' | 'expires_at'>
  mailed_token: Pick<MailedToken, 'token_hash' | 'purpose' | 'user_id' | 'clinic_id' | 'expires_at'>
    & Partial<Pick<MailedToken, 'factor_id'>>
  setup: Pick<Setup, 'code_hash' | 'created_at'>
  factor: Pick<Factor, 'id' | 'user_id' | 'kind' | 'secret' | 'credential_id'>
  sign_in_step: Pick<SignInStep, 'token_hash' | 'purpose' | 'user_id' | 'bound_to' | 'expires_at'>
}
export type SealedKind = keyof SealedRows

type Value = string | boolean | Date | Buffer | null

const VALUES: { [Kind in SealedKind]: (row: SealedRows[Kind]) => Value[] } = {
  // Facts that were added later are included only if they differ from the default, so that earlier seals stay valid.
  user: row => [
    row.id,
    row.email,
    row.email_proven_at,
    row.password_hash,
    row.instance_admin,
    ...(row.deactivated_at ? ['deactivated'] : []),
    ...(row.factors ? [`factors ${row.factors}`] : []),
    ...(row.factors_to_review ? [`to review ${row.factors_to_review}`] : [])
  ],
  membership: row => [
    row.clinic_id,
    row.user_id,
    row.role,
    row.active,
    ...(row.asked ? ['asked'] : []),
    ...unusualConsent(row)
  ],
  session: row => [
    row.token_hash,
    row.user_id,
    row.clinic_id,
    row.created_at,
    ...(row.way ? [row.way] : []),
    ...(row.confirmed_at ? [`confirmed ${row.confirmed_at.getTime()} ${row.confirmed_by}`] : []),
    ...(row.enrol_until ? [`enrol until ${row.enrol_until.getTime()}`] : [])
  ],
  token: row => [row.token_hash, row.id, row.name, row.scope, row.expires_at],
  clinic_token: row => [
    row.token_hash,
    row.id,
    row.clinic_id,
    row.user_id,
    row.name,
    row.scopes.join(' '),
    row.expires_at
  ],
  mailed_token: row => [
    row.token_hash,
    row.purpose,
    row.user_id,
    row.expires_at,
    ...(row.clinic_id ? [row.clinic_id] : []),
    ...(row.factor_id ? [`factor ${row.factor_id}`] : [])
  ],
  setup: row => [row.code_hash, row.created_at],
  factor: row => [row.id, row.user_id, row.kind, row.secret, row.credential_id],
  sign_in_step: row => [row.token_hash, row.purpose, row.user_id, row.bound_to, row.expires_at]
}

/** A person has agreed, unless the clinic still waits for the answer. */
function unusualConsent({ asked, consented_at }: SealedRows['membership']): Value[] {
  const hasAgreed = consented_at !== null
  return hasAgreed === !asked ? [] : [hasAgreed ? 'agreed' : 'not agreed']
}

const textOf = <Kind extends SealedKind>(kind: Kind, row: SealedRows[Kind]) =>
  JSON.stringify(
    VALUES[kind](row).map(value =>
      value instanceof Date ? value.getTime() : Buffer.isBuffer(value) ? value.toString('base64url') : value
    )
  )

/** The column `seal`. Instants are compared to the millisecond. */
export const sealOf = <Kind extends SealedKind>(secrets: SealingSecrets, kind: Kind, row: SealedRows[Kind]): Buffer =>
  secrets.mac(`core.row.${kind}`, textOf(kind, row))

/** False for a row that was created or changed outside the service. */
export const isSealed = <Kind extends SealedKind>(
  secrets: SealingSecrets,
  kind: Kind,
  row: SealedRows[Kind] & { seal: Buffer | null }
): boolean => row.seal !== null && secrets.verifyMac(`core.row.${kind}`, textOf(kind, row), row.seal)

const LOOK_UP = 'core.look-up'

/** The column `token_hash`, by which a session, a token or a mailed link is found. */
export const lookUpOf = (secrets: SealingSecrets, secret: string): Buffer => secrets.mac(LOOK_UP, hashOfSecret(secret))

/** The same for a digest that an earlier release stored. */
export const lookUpOfDigest = (secrets: SealingSecrets, digest: Buffer): Buffer => secrets.mac(LOOK_UP, digest)

/** One for each secret that may have been in use. */
export const lookUps = (secrets: SealingSecrets, secret: string): Buffer[] =>
  secrets.macs(LOOK_UP, hashOfSecret(secret))

/** For a prepared statement: one parameter each, because with an array PostgreSQL would plan each execution again. */
export function preparedLookUp(secrets: SealingSecrets): {
  isOneOf(column: PgColumn): SQL
  parameters(secret: string): Record<string, Buffer>
} {
  const named = (values: Buffer[]) => values.map((value, index) => [`hash_${index}`, value] as const)
  const placeholders = named(lookUps(secrets, '')).map(([name]) => sql.placeholder(name))
  return {
    isOneOf: column => sql`${column} in (${sql.join(placeholders, sql`, `)})`,
    parameters: secret => Object.fromEntries(named(lookUps(secrets, secret)))
  }
}

/** Replaces a look-up value that has ended, so that nothing in the row leads back to the token. */
export const noLookUp = (): SQL => sql`sha256(gen_random_uuid()::text::bytea)`
