import type { Sql, TransactionSql } from 'postgres'
import type { Finding } from '@svc/kit'
import { ConfigError, type Config } from '../../config.ts'
import type { SealedRows } from './row-seals.ts'
import { CERTIFICATE, createSecrets, hasSecret, type Secrets } from '../../secrets.ts'

type AnySql = Sql | TransactionSql

/** A row of `core_secret`. Instants are formatted for the operator, in UTC. */
interface Used { key_id: string, mac: Buffer, since: string, until: string | null }

const PURPOSE = 'core.secret'
/** PostgreSQL's format for instants, readable, and comparable as text. */
const SHOWN = 'YYYY-MM-DD HH24:MI:SS "UTC"'

/**
 * Throws ConfigError if this process has a different secret than the instance: it would refuse correct codes, and its
 * seals could not be opened by others. Writes nothing, and is called before anything else is written.
 */
export async function checkSecret(sql: AnySql, secrets: Secrets): Promise<void> {
  const current = await findCurrent(sql)
  if (!current) return await checkBySeals(sql, secrets)
  if (!isKnown(secrets, current))
    throw notTheSecret(`the one in use since ${current.since} has the key id ${current.key_id}`, secrets)
}

/** The same for a command, which must not generate a secret if the server's is missing. */
export async function checkSecretOf(
  sql: AnySql,
  config: Pick<Config, 'secret' | 'secret_previous' | 'storage'>
): Promise<void> {
  if (hasSecret(config)) return await checkSecret(sql, createSecrets(config))
  if ((await findCurrent(sql)) || (await readSealed(sql)).length > 0)
    throw new ConfigError([
      'SVC_SECRET is missing: run the command with the environment of the server (SVC_SECRET, SVC_STORAGE)'
    ])
}

/** Under the boot lock: the first start records the secret, and the start after a rotation the new one. */
export async function recordSecret(sql: AnySql, { known: [current] }: Secrets): Promise<void> {
  const { id, mac } = current!
  await sql`update core_secret set until = now() where until is null and key_id <> ${id}`
  await sql`
    insert into core_secret as secret (key_id, mac) values (${id}, decode(${mac(PURPOSE, id).toString('hex')}, 'hex'))
    on conflict (key_id) do update set until = null, since = case when secret.until is null then secret.since else now() end
    where secret.until is not null`
}

/**
 * Secrets of the instance that this process lacks: the current one, and each former one as long as a value from its
 * time exists.
 */
export async function checkSecrets(sql: AnySql, secrets: Secrets): Promise<Finding[]> {
  const used = await readUsed(sql) ?? []
  const [oldest] = await sql<{ at: string | null }[]>`
    select to_char(least((select min(created_at) from core_clinic), (select min(created_at) from core_user)) at time zone 'UTC', ${SHOWN}) as at`
  const isNeeded = ({ until }: Used) => until === null || (oldest!.at !== null && oldest!.at < until)
  return used
    .filter(row => isNeeded(row) && !isKnown(secrets, row))
    .map(({ key_id, since, until }) => ({
      code: 'secret_missing',
      object: `secret ${key_id}`,
      message: `${until ? `It was in use from ${since} until ${until}` : `It has been in use since ${since}`}, but neither SVC_SECRET nor SVC_SECRET_PREVIOUS has it. Links, codes, passwords and logs of that time can't be opened or checked.`,
      fix: 'Add it to SVC_SECRET_PREVIOUS, separated by a space, restart, and run the doctor again: what it sealed may be among the other findings.'
    }))
}

/** Null if the table doesn't exist yet. */
async function readUsed(sql: AnySql): Promise<Used[] | null> {
  if (!await isThere(sql, 'core_secret')) return null
  return await sql<Used[]>`
    select key_id, mac, to_char(since at time zone 'UTC', ${SHOWN}) as since, to_char("until" at time zone 'UTC', ${SHOWN}) as until
    from core_secret order by core_secret.since`
}

const findCurrent = async (sql: AnySql) => (await readUsed(sql))?.find(({ until }) => until === null)

const isKnown = (secrets: Secrets, { key_id, mac }: Used): boolean =>
  secrets.known.some(({ id }) => id === key_id) && secrets.verifyMac(PURPOSE, key_id, mac)

/**
 * For a database of an earlier release, or one whose row was removed by SQL: verifies sealed values with the secret.
 */
async function checkBySeals(sql: AnySql, secrets: Secrets): Promise<void> {
  const sealed = await readSealed(sql)
  const unknown = sealed.find(({ isOpenedBy }) => !isOpenedBy(secrets))
  if (unknown) throw notTheSecret(unknown.reason, secrets)
}

interface Sealed { reason: string, isOpenedBy (secrets: Secrets): boolean }

/** The newest value of each kind, which must have been sealed with the current secret. */
async function readSealed(sql: AnySql): Promise<Sealed[]> {
  return [...await readCertificate(sql), ...await readUsers(sql)]
}

async function readCertificate(sql: AnySql): Promise<Sealed[]> {
  if (!await isThere(sql, 'core_certificate')) return []
  const rows = await sql<
    { private_key: string }[]
  >`select private_key from core_certificate order by created_at desc, id limit 1`
  return rows.map(({ private_key }) => ({
    reason: 'its sealing certificate was made under another one',
    isOpenedBy: secrets => secrets.canOpen(CERTIFICATE, private_key)
  }))
}

/** Several rows, of which one must match, so that a row changed by SQL does not make the correct secret fail. */
async function readUsers(sql: AnySql): Promise<Sealed[]> {
  const [column]
    = await sql`select from information_schema.columns where table_schema = current_schema() and table_name = 'core_user' and column_name = 'deactivated_at'`
  if (!column) return []
  const found = await sql<(SealedRows['user'] & { seal: Buffer })[]>`
    select id::text, email, email_proven_at, password_hash, instance_admin, deactivated_at, to_jsonb(core_user)->>'factors' as factors, to_jsonb(core_user)->>'factors_to_review' as factors_to_review, seal from core_user where seal is not null order by created_at desc, id limit 100`
  if (found.length === 0) return []
  // Drizzle leaves instants as text on its connections.
  const rows = found.map(row => ({ ...row, email_proven_at: row.email_proven_at && new Date(row.email_proven_at) }))
  const { isSealed } = await import('./row-seals.ts')
  return [
    {
      reason: 'its accounts were sealed under another one',
      isOpenedBy: secrets => rows.some(row => isSealed(secrets, 'user', row))
    }
  ]
}

async function isThere(sql: AnySql, table: string): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass(${table}) is not null as there`
  return row!.there
}

function notTheSecret(reason: string, { known: [current, ...previous] }: Secrets): ConfigError {
  const given = `neither SVC_SECRET (${current!.id}) nor SVC_SECRET_PREVIOUS (${previous.map(({ id }) => id).join(', ') || 'not set'}) is that one`
  return new ConfigError([
    `SVC_SECRET is not the secret of this database: ${reason}, and ${given}. Set SVC_SECRET to it, or add it to SVC_SECRET_PREVIOUS if you changed the secret`
  ])
}
