import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { isId, problem, type Actor, type Client, type Db, type Tx } from '@svc/kit'
import type { CreatedToken, NewToken, Token } from '../../../../shared/tokens.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { TOKEN_PREFIX } from './create-token.ts'
import { lookUpOf, noLookUp, sealOf } from '../seals/row-seals.ts'
import { newSecret } from '../new-secret.ts'
import { clock } from '../../clock.ts'
import { coreClinic, coreClinicToken, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { readExpiry } from './read-expiry.ts'

/** Limit of active tokens. */
const MAX_ACTIVE = 50
/** Limit of tokens created within an hour, including revoked ones: the thief of a session would create many. */
const MAX_PER_HOUR = 20

interface By { actor: Actor & { user_id: string, clinic_id: string }, client: Client }

const columns = {
  id: coreClinicToken.id,
  name: coreClinicToken.name,
  scopes: coreClinicToken.scopes,
  created_at: coreClinicToken.created_at,
  created_by: {
    id: coreUser.id,
    name: sql<string>`${coreUser.first_name} || ' ' || ${coreUser.last_name}`
  },
  expires_at: coreClinicToken.expires_at,
  last_used_at: coreClinicToken.last_used_at
}

type Row = Awaited<ReturnType<typeof select>>[number]
const select = (db: Db | Tx, clinic_id: string) =>
  db
    .select(columns)
    .from(coreClinicToken)
    .innerJoin(coreUser, eq(coreUser.id, coreClinicToken.user_id))
    .where(and(eq(coreClinicToken.clinic_id, clinic_id), isNull(coreClinicToken.revoked_at)))
    .orderBy(asc(coreClinicToken.created_at), asc(coreClinicToken.id))

const toToken = (row: Row): Token => ({
  ...row,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null
})

/** Active tokens of every creator, oldest first. */
export const listClinicTokens = async ({ db }: Host, clinic_id: string): Promise<Token[]> =>
  (await select(db, clinic_id)).map(toToken)

/** The only time that the token is shown. Throws `validation_failed`, `too_many_tokens` or `too_many_new_tokens`. */
export async function createClinicToken(
  host: Host,
  { actor, client, name, scopes, expires_at }: NewToken & By
): Promise<CreatedToken> {
  assertGrantable(host, actor, scopes)
  const { clinic_id, user_id } = actor
  const token = `${TOKEN_PREFIX}${newSecret()}`
  return await host.db.transaction(async (tx) => {
    // The lock makes concurrent requests count one after the other.
    await tx.select({ id: coreClinic.id }).from(coreClinic).where(eq(coreClinic.id, clinic_id)).for('no key update')
    await assertTokenLimit(tx, clinic_id)
    const row = {
      id: randomUUID() as string,
      clinic_id,
      user_id,
      name,
      scopes: scopes.toSorted(),
      expires_at: readExpiry(expires_at, await clock.now(tx)),
      token_hash: lookUpOf(host.secrets, token)
    }
    await tx.insert(coreClinicToken).values({ ...row, seal: sealOf(host.secrets, 'clinic_token', row) })
    const made = (await select(tx, clinic_id)).find(({ id }) => id === row.id)!
    await recordAudit(host, tx, {
      clinic_id,
      actor,
      client,
      action: 'token_created',
      target: { kind: 'token', id: row.id },
      detail: { name, scopes: row.scopes, expires_at: row.expires_at.toISOString() }
    })
    return { ...toToken(made), token }
  })
}

async function assertTokenLimit(tx: Tx, clinic_id: string): Promise<void> {
  const { revoked_at, expires_at, created_at } = coreClinicToken
  const isNew = sql`${created_at} > now() - interval '1 hour'`
  const [counted] = await tx
    .select({
      active: sql<number>`(count(*) filter (where ${revoked_at} is null and ${expires_at} > now()))::int`,
      fresh: sql<number>`(count(*) filter (where ${isNew}))::int`,
      wait: sql<number | null>`ceil(extract(epoch from min(${created_at}) filter (where ${isNew}) + interval '1 hour' - now()))::int`
    })
    .from(coreClinicToken)
    .where(eq(coreClinicToken.clinic_id, clinic_id))
  const { active, fresh, wait } = counted!
  if (fresh >= MAX_PER_HOUR) throw problem('too_many_new_tokens', { retry_after: Math.max(1, wait ?? 1) })
  if (active >= MAX_ACTIVE) throw problem('too_many_tokens')
}

/** A scope must be a permission of the creator's, and one that applies to a clinic. */
function assertGrantable({ registry }: Host, { role }: Actor, scopes: string[]): void {
  const granted = role ? registry.permissionsOf(role) : new Set<string>()
  const errors = scopes.flatMap((scope, index) =>
    granted.has(scope) ? [] : [{ pointer: `/scopes/${index}`, message: 'You don’t have this permission.' }])
  if (errors.length > 0) throw problem('validation_failed', { errors })
}

/** The token stops working at once. Throws `not_found`, also for another clinic's token. */
export async function revokeClinicToken(host: Host, { actor, client, id }: By & { id: string }): Promise<void> {
  if (!isId(id)) throw problem('not_found')
  const { clinic_id } = actor
  await host.db.transaction(async (tx) => {
    const [row] = await tx
      .update(coreClinicToken)
      .set({ revoked_at: sql`now()`, token_hash: noLookUp() })
      .where(
        and(eq(coreClinicToken.clinic_id, clinic_id), eq(coreClinicToken.id, id), isNull(coreClinicToken.revoked_at))
      )
      .returning({ name: coreClinicToken.name })
    if (!row) throw problem('not_found')
    const target = { kind: 'token', id }
    await recordAudit(host, tx, { clinic_id, actor, client, action: 'token_revoked', target, detail: { name: row.name } })
  })
}
