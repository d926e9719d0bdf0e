import type postgres from 'postgres'
import { sealOf, type SealedKind, type SealedRows } from '../../../server/core/people/seals/row-seals.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { SECRET } from '../browser/built-server.ts'

const KEYS = {
  user: ['core_user', ['id']],
  membership: ['core_membership', ['clinic_id', 'user_id']],
  session: ['core_session', ['token_hash']],
  clinic_token: ['core_clinic_token', ['token_hash']],
  mailed_token: ['core_mailed_token', ['token_hash']]
} as const satisfies Partial<Record<SealedKind, [string, string[]]>>

/** Seals rows of one kind, which a test has changed by SQL, as the service would have, so that they are valid. */
export async function sealAgain<Kind extends keyof typeof KEYS>(sql: postgres.Sql, kind: Kind): Promise<void> {
  const secrets = createSecrets({ secret: SECRET, secret_previous: null, storage: '' })
  const [table, keys] = KEYS[kind]
  for (const row of await sql`select * from ${sql(table)}`) {
    const seal = sealOf(secrets, kind, row as unknown as SealedRows[Kind])
    const isSame = keys.map(key => sql`${sql(key)} = ${row[key]}`).reduce((all, one) => sql`${all} and ${one}`)
    await sql`update ${sql(table)} set seal = ${seal} where ${isSame}`
  }
}
