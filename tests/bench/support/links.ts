import { randomUUID } from 'node:crypto'
import type { Ctx, Db } from '@svc/kit'
import { eq, inArray } from 'drizzle-orm'
import { budgetColumns, type BudgetRow } from '../../../layers/budget/server/db/budgets.ts'
import { listSentItems } from '../../../layers/budget/server/db/items.ts'
import { budget } from '../../../layers/budget/server/db/schema.ts'
import { saveSealed, type SealedRow } from '../../../layers/budget/server/db/upgrades/upgrade.ts'
import { mintToken, tokenHash } from '../../../layers/budget/server/services/link/link-token.ts'
import { digestLookUp, linkSeal, sessionSeal } from '../../../layers/budget/server/services/link/row-seals.ts'
import { digestOffer, sentSeal } from '../../../layers/budget/server/services/log/sent-seal.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { headSeal } from '../../../layers/budget/server/services/log/log-chain.ts'
import { makeLogRow } from '../../../layers/budget/server/services/log/log-access.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import type { Built } from '../../support/browser/built.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { aDraft, aTreatment } from '../../support/builders.ts'
import { root } from '../../support/modules/official.ts'
import type { BenchInstance } from './instance.ts'

const CLINIC = 'Bench'
const DATABASE = { storage: '', root }

/** A sent budget whose patient has entered the code and read it. */
export interface OpenLink { id: string, token: string, base: string, headers: { cookie: string } }

const secrets: Ctx['secrets'] = createSecrets({ secret: SECRET, secret_previous: null, storage: '' })

/** The stored values in the rows of the link and the session. */
function keptOf(
  { id, token, cookie }: { id: string, token: string, cookie: string },
  clinic_id: string,
  created_at: Date
) {
  const link = { budget_id: id, clinic_id, token_hash: digestLookUp(secrets, tokenHash(token)) }
  const session_hash = digestLookUp(secrets, tokenHash(cookie))
  const session = { budget_id: id, clinic_id, session_hash, created_at, handed_by: null }
  const seal = sessionSeal(secrets, session, { token_hash: link.token_hash, code_hash: null })
  const hex = (bytes: Buffer) => bytes.toString('hex')
  return {
    id,
    token: hex(link.token_hash),
    token_seal: hex(linkSeal(secrets, link)),
    cookie: hex(session.session_hash),
    seal: hex(seal)
  }
}

/**
 * The requested number of identical budgets with five lines each, written by SQL because each code would need an
 * expensive hash. `logged`: with a log that begins with the sending, so that all proofs are valid.
 */
export async function openLinks(
  instance: BenchInstance,
  count: number,
  { logged = false } = {}
): Promise<OpenLink[]> {
  const draft = await draftOfFive(instance)
  const links = Array.from({ length: count }, () => ({ id: randomUUID(), token: mintToken(), cookie: mintToken() }))
  for (let at = 0; at < links.length; at += CHUNK) await copyDraft(instance, draft, links.slice(at, at + CHUNK))
  await seal(instance, links.map(({ id }) => id), logged)
  return links.map(({ id, token, cookie }) => ({
    id,
    token,
    base: `/api/v1/public/budgets/${token}`,
    headers: { cookie: `budget_session=${cookie}` }
  }))
}

/** A connection caches its plans of foreign keys and triggers, and those of a small table are slow on a large one. */
const CHUNK = 5000

async function copyDraft(
  instance: BenchInstance,
  draft: string,
  links: { id: string, token: string, cookie: string }[]
): Promise<void> {
  const now = new Date()
  const rows = JSON.stringify(links.map(link => keptOf(link, instance.clinic.id, now)))
  await instance.sql.begin(async (sql) => {
    const copies = sql`jsonb_to_recordset(${rows}::text::jsonb) as copy (id uuid, token text, token_seal text, cookie text, seal text)`
    await sql`
      insert into budget (id, clinic_id, number, patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone, clinic_name,
                          valid_until, expires_at, original_total, total, tax_total)
      select copy.id, clinic_id, 'COPY-' || left(copy.id::text, 13), patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone, ${CLINIC},
             (now() + interval '30 days')::date, date_trunc('day', now()) + interval '29 days', original_total, total, tax_total
      from ${copies}, budget where budget.id = ${draft}`
    await sql`
      insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax)
      select copy.id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax
      from ${copies}, budget_item where budget_id = ${draft}`
    await sql`update budget set status = 'sent', sent_at = now(), viewed_at = now() where id in (select copy.id from ${copies})`
    await sql`insert into budget_link (budget_id, clinic_id, token_hash, token_seal, minted_at) select copy.id, clinic_id, decode(copy.token, 'hex'), decode(copy.token_seal, 'hex'), now() from ${copies}, budget where budget.id = ${draft}`
    await sql`insert into budget_session (session_hash, budget_id, clinic_id, created_at, read_at, seal) select decode(copy.cookie, 'hex'), copy.id, clinic_id, ${now.toISOString()}::timestamptz, now(), decode(copy.seal, 'hex') from ${copies}, budget where budget.id = ${draft}`
  })
  await instance.sql`analyze budget, budget_item, budget_link`
}

/** Adds the seal that the sending would have made, over the rows as the product reads them. */
async function seal(instance: BenchInstance, ids: string[], logged: boolean): Promise<void> {
  const { db, close } = await openDatabase({ ...DATABASE, database_url: instance.env.DATABASE_URL! }, { max: 1 })
  try {
    for (let at = 0; at < ids.length; at += 1000) {
      const budgets = await db.select(budgetColumns).from(budget).where(inArray(budget.id, ids.slice(at, at + 1000)))
      await saveSeals(db, await Promise.all(budgets.map(budget => sealOne(db, budget))), logged)
    }
  } finally {
    await close()
  }
}

async function sealOne(db: Db, budget: BudgetRow): Promise<SealedRow> {
  const items = await listSentItems(db, budget.id)
  const { digest } = digestOffer(budget, items, CLINIC)
  const sent_seal = sentSeal(secrets, { budget, items, digest })
  const detail = { channel: 'manual', sent: sent_seal.toString('base64url') }
  const entry = { budget_id: budget.id, action: 'link_sent', actor: 'system', detail } as const
  // A log that SQL began has no seal of the empty log yet. Without it each budget would be a finding.
  const empty = { ...budget, log_seal: headSeal(secrets, budget.id, 0, null), now: new Date() }
  const { row, log_seal } = makeLogRow({ secrets }, entry, empty)
  return { ...row, log_seal, sent_seal, clinic_name: CLINIC }
}

async function saveSeals(db: Db, rows: SealedRow[], logged: boolean): Promise<void> {
  if (logged) return await saveSealed(db, rows)
  for (const { budget_id, sent_seal } of rows)
    await db.update(budget).set({ sent_seal }).where(eq(budget.id, budget_id))
}

async function draftOfFive(instance: Built): Promise<string> {
  const staff = await instance.as('admin')
  const treatments = await Promise.all(Array.from({ length: 5 }, () => aTreatment(staff)))
  return (await aDraft(instance, { items: treatments.map(({ id }) => ({ treatment_id: id })) })).id
}
