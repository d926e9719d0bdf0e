import { asc, gt, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { budgetLink } from '../schema.ts'

const BATCH = 2000

export async function hasSealedLinks(db: Db): Promise<boolean> {
  const rows = await db.select({ budget_id: budgetLink.budget_id }).from(budgetLink)
    .where(or(isNotNull(budgetLink.token_seal), isNotNull(budgetLink.code_seal))).limit(1)
  return rows.length > 0
}

interface StoredLink { budget_id: string, clinic_id: string, token_hash: Buffer | null, code_hash: string | null }

/** In batches by id. */
export async function listLinksAfter(db: Db, after: string): Promise<StoredLink[]> {
  return await db
    .select({
      budget_id: budgetLink.budget_id,
      clinic_id: budgetLink.clinic_id,
      token_hash: budgetLink.token_hash,
      code_hash: budgetLink.code_hash
    })
    .from(budgetLink)
    .where(gt(budgetLink.budget_id, after))
    .orderBy(asc(budgetLink.budget_id))
    .limit(BATCH)
}

interface LinkSeals {
  budget_id: string
  token_hash: Buffer | null
  token_seal: Buffer | null
  code_seal: Buffer | null
}

const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null

export async function saveLinkSeals(db: Db, rows: LinkSeals[]): Promise<void> {
  const given = rows.map(({ budget_id, token_hash, token_seal, code_seal }) =>
    ({ budget_id, token_hash: hex(token_hash), token_seal: hex(token_seal), code_seal: hex(code_seal) }))
  await db.execute(sql`
    update budget_link as link set token_hash = decode(given.token_hash, 'hex'),
      token_seal = decode(given.token_seal, 'hex'), code_seal = decode(given.code_seal, 'hex')
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given (budget_id uuid, token_hash text, token_seal text, code_seal text)
    where link.budget_id = given.budget_id`)
}
