import { randomUUID } from 'node:crypto'
import { mintToken, tokenHash } from '../../../layers/budget/server/domain/link-token.ts'
import type { Built } from '../../support/built.ts'
import { aDraft, aTreatment } from '../../support/builders.ts'

/** A sent budget whose patient has entered the code and read it. */
export interface OpenLink { id: string, token: string, base: string, headers: { cookie: string } }

const hex = (text: string) => tokenHash(text).toString('hex')

/** As many as wanted, all alike, with five lines each: written by SQL, since each code would cost its hash. */
export async function openLinks(instance: Built, count: number): Promise<OpenLink[]> {
  const draft = await draftOfFive(instance)
  const links = Array.from({ length: count }, () => ({ id: randomUUID(), token: mintToken(), cookie: mintToken() }))
  const rows = JSON.stringify(links.map(({ id, token, cookie }) => ({ id, token: hex(token), cookie: hex(cookie) })))
  await instance.sql.begin(async (sql) => {
    const copies = sql`jsonb_to_recordset(${rows}::text::jsonb) as copy (id uuid, token text, cookie text)`
    await sql`
      insert into budget (id, clinic_id, number, patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone,
                          valid_until, expires_at, original_total, total, tax_total)
      select copy.id, clinic_id, 'COPY-' || left(copy.id::text, 13), patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone,
             (now() + interval '30 days')::date, now() + interval '30 days', original_total, total, tax_total
      from ${copies}, budget where budget.id = ${draft}`
    await sql`
      insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax)
      select copy.id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax
      from ${copies}, budget_item where budget_id = ${draft}`
    await sql`update budget set status = 'sent', sent_at = now(), viewed_at = now() where id in (select copy.id from ${copies})`
    await sql`insert into budget_link (budget_id, clinic_id, token_hash, minted_at) select copy.id, clinic_id, decode(copy.token, 'hex'), now() from ${copies}, budget where budget.id = ${draft}`
    await sql`insert into budget_session (session_hash, budget_id, clinic_id, read_at) select decode(copy.cookie, 'hex'), copy.id, clinic_id, now() from ${copies}, budget where budget.id = ${draft}`
  })
  return links.map(({ id, token, cookie }) => ({ id, token, base: `/api/v1/public/budgets/${token}`, headers: { cookie: `budget_session=${cookie}` } }))
}

async function draftOfFive(instance: Built): Promise<string> {
  const staff = await instance.as('admin')
  const treatments = await Promise.all(Array.from({ length: 5 }, () => aTreatment(staff)))
  return (await aDraft(instance, { items: treatments.map(({ id }) => ({ treatment_id: id })) })).id
}
