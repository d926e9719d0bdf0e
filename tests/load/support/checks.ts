import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hex } from '../../support/documents/documents.ts'
import { MARKS, type Case, type Ledger } from './journey.ts'
import type { World } from './world.ts'

interface Facts {
  id: string
  status: string
  pdf: string
  sha256: string | null
  key: string | null
  total: string
  signatures: number
  decision: string | null
  invoices: number
  invoice_total: string | null
  events: Record<string, number> | null
}

/**
 * Compares each budget of the ledger in the database with the responses that its users got. Returns a sentence for each
 * difference.
 */
export async function compareWithLedger({ built: { sql } }: World, { cases }: Ledger): Promise<string[]> {
  const rows = await sql<Facts[]>`
    select b.id, b.status, b.signed_pdf_status as pdf, b.signed_pdf_sha256 as sha256, b.signed_pdf_key as key, b.total::text,
           (select count(*)::int from budget_signature s where s.budget_id = b.id) as signatures, (select max(decision) from budget_signature s where s.budget_id = b.id) as decision,
           (select count(*)::int from billing_invoice i where i.budget_id = b.id) as invoices, (select max(i.total)::text from billing_invoice i where i.budget_id = b.id) as invoice_total,
           (select jsonb_object_agg(name, n) from (select name, count(*)::int as n from core_event e where e.payload->>'budget_id' = b.id::text group by name) counted) as events
    from budget b`
  const facts = new Map(rows.map(row => [row.id, row]))
  return cases.flatMap((one) => {
    const found = facts.get(one.id)
    if (!found) return [`${one.id} is gone`]
    const { id, total, sha256, key, ...held } = found
    const is = JSON.stringify(sorted({ ...held, hasFile: key !== null && sha256 !== null }))
    const due = JSON.stringify(sorted(expected(one, total)))
    return is === due ? [] : [`${id}: ${is} in place of ${due}`]
  })
}

function expected({ outcome, viewed }: Case, total: string) {
  const [isAccepted, isDecided] = [outcome === 'accepted', outcome === 'accepted' || outcome === 'rejected']
  return {
    status: outcome,
    pdf: isAccepted ? 'ready' : 'none',
    hasFile: isAccepted,
    signatures: isDecided ? 1 : 0,
    decision: isDecided ? outcome : null,
    invoices: isAccepted ? 1 : 0,
    invoice_total: isAccepted ? total : null,
    events: {
      'budget.sent': 1,
      ...(viewed ? { 'budget.viewed': 1 } : {}),
      ...(outcome === 'sent' ? {} : { [`budget.${outcome}`]: 1 }),
      ...(isAccepted ? { 'budget.signed_pdf_ready': 1 } : {})
    }
  }
}

const sorted = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, inner && typeof inner === 'object' ? sorted(inner as object) : inner])
  )

/**
 * Files and rows match: there is one file for each accepted budget, with the bytes of its fingerprint, and no other
 * file.
 */
export async function compareFiles({ built: { sql, storage } }: World): Promise<string[]> {
  const rows = await sql<
    { key: string, sha256: string }[]
  >`select signed_pdf_key as key, signed_pdf_sha256 as sha256 from budget where signed_pdf_status = 'ready'`
  const folder = join(storage, 'documents')
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
  )
  const wrong = rows.flatMap(({ key, sha256 }) => {
    const file = join(folder, key)
    if (!files.delete(file)) return [`${key} has no file of its own`]
    return hex(readFileSync(file)) === sha256 ? [] : [`${key} has other bytes`]
  })
  return [...wrong, ...[...files].map(file => `${file} belongs to nobody`)]
}

/** Each event has one delivery per subscriber, and all are done. */
export async function compareDeliveries({ built: { sql } }: World): Promise<string[]> {
  const rows = await sql`
    select e.name, e.id, count(d.id)::int as deliveries, count(*) filter (where d.status = 'done')::int as done
    from core_event e left join core_delivery d on d.event_id = e.id group by e.id
    having count(d.id) <> case e.name when 'budget.accepted' then 1 else 0 end or count(*) filter (where d.status = 'pending') > 0`
  return rows.map(row => `${row.name} ${row.id} has ${row.deliveries} deliveries, ${row.done} done`)
}

/** The other systems received exactly the written events: each once, none missing, none additional. */
export async function compareInbox({ built: { sql }, clinics, inbox }: World): Promise<string[]> {
  const found = await Promise.all(clinics.map(async ({ id, hooks }) => {
    const events = await sql<{ id: string, name: string }[]>`select id, name from core_event where clinic_id = ${id}`
    return hooks.flatMap(({ path, events: wanted }) =>
      compareHook({
        path,
        taken: inbox.taken.get(path)!,
        due: events.filter(({ name }) => wanted.includes('*') || wanted.includes(name))
      })
    )
  }))
  return [...inbox.wrong, ...found.flat()]
}

function compareHook({
  path,
  taken,
  due
}: {
  path: string
  taken: Map<string, number>
  due: { id: string, name: string }[]
}): string[] {
  const missing = due
    .filter(({ id }) => taken.get(id) !== 1)
    .map(({ id, name }) => `${path}: ${name} ${id} was taken ${taken.get(id) ?? 0} times`)
  const ids = new Set(due.map(({ id }) => id))
  return [...missing, ...[...taken.keys()].filter(id => !ids.has(id)).map(id => `${path}: ${id} is no event for it`)]
}

/**
 * One email per message: one with the link for each emailed budget, one to the author for each decision of a patient.
 */
export async function compareLetters({ mailbox, built }: World, { cases }: Ledger): Promise<string[]> {
  const deliveries = new Map(
    (await built.sql`select budget_id, delivery from budget_link`).map(({ budget_id, delivery }) => [
      budget_id as string,
      delivery as string
    ])
  )
  const counts = new Map<string, number>()
  const ids = new Set<string>()
  const wrong: string[] = []
  for (const { id, text } of mailbox.letters) {
    if (ids.has(id)) wrong.push(`${id} came twice`)
    ids.add(id)
    for (const [, what] of text.matchAll(/\/(?:p\/budget|budgets)\/([\w-]+)/g))
      counts.set(what!, (counts.get(what!) ?? 0) + 1)
  }
  for (const { id, token, channel, outcome } of cases) {
    const letters = counts.get(token) ?? 0
    // An email of a withdrawn budget that waited for the mail server is not sent, or was just being sent, but never
    // twice.
    const isWithdrawn = outcome === 'cancelled' && deliveries.get(id) === 'none'
    const isRight
      = channel === 'manual' ? letters === 0 : isWithdrawn ? letters <= 1 : letters === 1 && deliveries.get(id) === 'sent'
    if (!isRight) wrong.push(`${id}: ${letters} letters to the patient, ${channel}, ${deliveries.get(id)}, ${outcome}`)
    const notices = counts.get(id) ?? 0
    if (notices !== (outcome === 'accepted' || outcome === 'rejected' ? 1 : 0))
      wrong.push(`${id}: ${notices} letters to the staff, ${outcome}`)
  }
  return wrong
}

/** Each patient's download is the file of the fingerprint. */
export async function downloadAll({ built: { sql } }: World, { cases }: Ledger): Promise<string[]> {
  const rows = await sql<
    { id: string, sha256: string }[]
  >`select id, signed_pdf_sha256 as sha256 from budget where signed_pdf_status = 'ready'`
  const fingerprints = new Map(rows.map(row => [row.id, row.sha256]))
  const wrong: string[] = []
  for (const { id, token, phone, outcome } of cases) {
    if (!phone || outcome !== 'accepted') continue
    const { status, bytes, headers } = await phone.get(`/api/v1/public/budgets/${token}/pdf/signed`)
    if (status === 401) continue // a load of more than half an hour
    if (status !== 200 || hex(bytes) !== fingerprints.get(id) || headers.get('etag') !== `"${fingerprints.get(id)}"`)
      wrong.push(`${id}: the download answers ${status}`)
  }
  return wrong
}

const TROUBLE = /unhandled|uncaught|MaxListenersExceeded|Warning:|out of memory/i

/** Lines of the log with personal data or with unexpected errors. */
export function searchLog(world: World, { cases }: Ledger): string[] {
  const lines = world.log().split('\n').filter(line => !/Debugger (?:listening|attached)|For help, see/.test(line))
  const names = Object.values(MARKS).concat('Quetzalli', 'Ixtab', 'clinic.test').map(name => name.toLowerCase())
  const words = new Set([...cases.flatMap(({ token, code }) => [token, code]), ...world.answers.secrets])
  return lines.flatMap((line) => {
    const lower = line.toLowerCase()
    const found = TROUBLE.test(line)
      ? 'trouble'
      : (names.find(name => lower.includes(name)) ?? line.match(/[\w.~-]+/g)?.find(word => words.has(word)))
    return found ? [`${found}: ${line.slice(0, 500)}`] : []
  })
}
