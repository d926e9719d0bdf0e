import { randomUUID } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { TransactionSql } from 'postgres'
import type { BudgetRow } from '../../../layers/budget/server/db/budgets.ts'
import type { SentItem } from '../../../layers/budget/server/db/items.ts'
import { digestContent } from '../../../layers/budget/server/services/proof/content.ts'
import { mintToken, tokenHash } from '../../../layers/budget/server/services/link/link-token.ts'
import { digestLookUp, linkSeal, sessionSeal } from '../../../layers/budget/server/services/link/row-seals.ts'
import { sentSeal } from '../../../layers/budget/server/services/proof/sent-seal.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import type { Built } from '../../support/browser/built.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { aDraft, aTreatment } from '../../support/builders.ts'

/** A sent budget whose patient has entered the code and read it. */
export interface OpenLink { id: string, token: string, base: string, headers: { cookie: string } }

const secrets: Ctx['secrets'] = createSecrets({ secret: SECRET, secret_previous: null, storage: '' })

/** What the link's row and the session's keep. */
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

/** As many as wanted, all alike, with five lines each: written by SQL, since each code would cost its hash. */
export async function openLinks(instance: Built, count: number): Promise<OpenLink[]> {
  const draft = await draftOfFive(instance)
  const links = Array.from({ length: count }, () => ({ id: randomUUID(), token: mintToken(), cookie: mintToken() }))
  const now = new Date()
  const rows = JSON.stringify(links.map(link => keptOf(link, instance.clinic.id, now)))
  await instance.sql.begin(async (sql) => {
    const copies = sql`jsonb_to_recordset(${rows}::text::jsonb) as copy (id uuid, token text, token_seal text, cookie text, seal text)`
    await sql`
      insert into budget (id, clinic_id, number, patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone,
                          valid_until, expires_at, original_total, total, tax_total)
      select copy.id, clinic_id, 'COPY-' || left(copy.id::text, 13), patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone,
             (now() + interval '30 days')::date, date_trunc('day', now()) + interval '29 days', original_total, total, tax_total
      from ${copies}, budget where budget.id = ${draft}`
    await sql`
      insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax)
      select copy.id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax
      from ${copies}, budget_item where budget_id = ${draft}`
    await sql`update budget set status = 'sent', sent_at = now(), viewed_at = now() where id in (select copy.id from ${copies})`
    await fix(sql, links.map(({ id }) => id))
    await sql`insert into budget_link (budget_id, clinic_id, token_hash, token_seal, minted_at) select copy.id, clinic_id, decode(copy.token, 'hex'), decode(copy.token_seal, 'hex'), now() from ${copies}, budget where budget.id = ${draft}`
    await sql`insert into budget_session (session_hash, budget_id, clinic_id, created_at, read_at, seal) select decode(copy.cookie, 'hex'), copy.id, clinic_id, ${now.toISOString()}::timestamptz, now(), decode(copy.seal, 'hex') from ${copies}, budget where budget.id = ${draft}`
  })
  return links.map(({ id, token, cookie }) => ({
    id,
    token,
    base: `/api/v1/public/budgets/${token}`,
    headers: { cookie: `budget_session=${cookie}` }
  }))
}

/** As the sending would have: the content of each. */
async function fix(sql: TransactionSql, ids: string[]): Promise<void> {
  const lines = await sql`
    select budget_id, code, name, description, tooth, surfaces, note, quantity, original_price::text, price::text, id, treatment_id, unit_price::text, vat,
      discount_type, discount_value::text, tax::text from budget_item where budget_id in ${sql(ids)} order by position`
  const copies = await sql`
    select id, clinic_id, number, version, currency, patient_id, professional_id, created_by, time_zone, locale, revises_id,
      discount_type, discount_value, patient_first_name, patient_last_name, professional_name, patient_notes, valid_until::text, original_total::text, total::text, tax_total::text from budget where id in ${sql(ids)}`
  const linesOf = Map.groupBy(lines, line => line.budget_id)
  const seals = copies.map((copy) => {
    const money = {
      original_total: BigInt(copy.original_total),
      total: BigInt(copy.total),
      tax_total: BigInt(copy.tax_total)
    }
    const budget = { ...copy, ...money, clinic_name: 'Bench' } as unknown as BudgetRow // what the content is made of
    const items = linesOf.get(copy.id)!.map(withMoney)
    return {
      id: budget.id,
      seal: sentSeal(secrets, { budget, items, digest: digestContent(budget, items, 'Bench').digest }).toString('hex')
    }
  })
  await sql`
    update budget set clinic_name = 'Bench', sent_seal = decode(given.seal, 'hex')
    from jsonb_to_recordset(${JSON.stringify(seals)}::text::jsonb) as given (id uuid, seal text) where budget.id = given.id`
}

/** A line without a discount, as the product reads it. */
const withMoney = ({ unit_price, original_price, price, tax, ...line }: Record<string, unknown>) =>
  ({
    ...line,
    unit_price: BigInt(unit_price as string),
    original_price: BigInt(original_price as string),
    price: BigInt(price as string),
    tax: BigInt(tax as string)
  }) as unknown as SentItem

async function draftOfFive(instance: Built): Promise<string> {
  const staff = await instance.as('admin')
  const treatments = await Promise.all(Array.from({ length: 5 }, () => aTreatment(staff)))
  return (await aDraft(instance, { items: treatments.map(({ id }) => ({ treatment_id: id })) })).id
}
