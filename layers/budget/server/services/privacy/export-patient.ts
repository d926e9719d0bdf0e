import type { Ctx, Json, Person, PersonData } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { BudgetRow } from '../../db/budgets.ts'
import { listOfPatient } from '../../db/erasure.ts'
import { idsOfNumbers } from '../../db/external-ids.ts'
import { listDone } from '../../db/sent/items-done.ts'
import { listItems, type ItemRow } from '../../db/items.ts'
import { listMessagesOf } from '../../db/messages.ts'
import { findProof, type ChainRow } from '../../db/proof.ts'
import { findSignature, type SignatureRow } from '../../db/signatures.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { taxModeOf, totalsOf } from '../budget/shown-columns.ts'
import { readSignedPdf } from '../budget/read-signed-pdf.ts'
import { readable } from '../log/log-chain.ts'
import { agreedItems, hasChoices, type WithChoices } from '../budget/offer.ts'
import { shownPlace } from '../budget/place.ts'

type File = NonNullable<PersonData['files']>[number]

/**
 * All versions of the patient's budgets with lines, decision, log and files. Codes and tokens are left out, because
 * they are keys, not data.
 */
export async function exportPatient(ctx: Ctx, person: Person): Promise<PersonData> {
  const now = await ctx.clock.now()
  const records: Json[] = []
  const files: File[] = []
  const budgets = await listOfPatient(ctx.db, person)
  const ids = await idsOfNumbers(ctx, person.clinic_id, budgets.map(({ number }) => number))
  for (const budget of budgets) {
    const signature = await findSignature(ctx.db, budget.id)
    const items = await listItems(ctx.db, budget.id)
    const done = await listDone(ctx.db, budget.id)
    const messages = await listMessagesOf(ctx.db, budget.id)
    const log = (await findProof(ctx.db, budget.id))?.rows ?? []
    records.push({
      ...toBudget(budget, now),
      external_ids: ids.get(budget.number) ?? {},
      lines: agreedItems(budget, items).map(line =>
        ({ ...toLine(line, budget.currency), done_on: done.get(line.id) ?? null })),
      ...hasChoices(budget) ? { choices: toChoices(budget, items) } : {},
      decision: signature && toDecision(signature),
      messages: messages.map(({ from, text, at }) => ({ from, text, at: at.toISOString() })),
      access_log: log.map(toRow)
    })
    files.push(...await filesOf(ctx, budget, signature))
  }
  return { records: { budgets: records }, files }
}

const iso = (at: Date | null) => at?.toISOString() ?? null

const toBudget = (budget: BudgetRow, now: Date) => ({
  number: budget.number,
  version: budget.version,
  status: statusAt(budget, now),
  patient: { first_name: budget.patient_first_name, last_name: budget.patient_last_name },
  professional: budget.professional_name,
  currency: budget.currency,
  ...taxModeOf(budget),
  valid_until: budget.valid_until,
  totals: totalsOf(budget),
  notes: budget.patient_notes,
  ...budget.clauses ? { clauses: budget.clauses.map(({ title, text }) => ({ title, text })) } : {},
  internal_notes: budget.internal_notes,
  created_at: iso(budget.created_at),
  sent_at: iso(budget.sent_at),
  viewed_at: iso(budget.viewed_at),
  decided_at: iso(budget.decided_at),
  decided_via: budget.decided_via,
  closed_at: iso(budget.closed_at),
  closed_reason: budget.closed_reason,
  ...budget.withdrawn_at
    ? {
        withdrawn_at: iso(budget.withdrawn_at),
        withdrawal_requested_by: budget.withdrawal_requested_by,
        withdrawal_reason: budget.withdrawal_reason
      }
    : {},
  erased_at: iso(budget.erased_at)
})

const toLine = (
  { code, name, quantity, price, note, notes, ...place }: ItemRow,
  currency: string
) => ({ code, name, ...shownPlace(place), quantity, price: formatMoney(price, currency), note, notes })

/**
 * Everything that was offered, at the prices before the discount on the total. `chosen` is null until the patient
 * accepts.
 */
const toChoices = ({ choices, selection, currency }: WithChoices<BudgetRow>, items: ItemRow[]): Json =>
  choices.map(({ id: choice_id, title, rule, options }) => ({
    title,
    rule,
    options: options.map(({ id, title, description, recommended }) => ({
      title,
      description,
      recommended,
      chosen: selection && selection[choice_id] === id,
      lines: items.filter(({ option_id }) => option_id === id).map(line => toLine(line, currency))
    }))
  }))

const toDecision = ({
  decision,
  signer_name,
  relationship,
  method,
  consent_text,
  reason,
  reason_code,
  content_digest,
  ip,
  user_agent,
  decided_at,
  time_zone,
  locale,
  document_sha256
}: SignatureRow): Json => ({
  decision,
  signer_name,
  relationship,
  method,
  consent_text,
  reason,
  reason_code,
  content_digest,
  ip,
  user_agent,
  decided_at: iso(decided_at),
  time_zone,
  locale,
  document_sha256
})

const toRow = ({ at, action, success, actor, user_agent, ip_hash, detail }: ChainRow): Json => ({
  at,
  action,
  success,
  actor,
  user_agent,
  ip_hash,
  detail: readable(detail) as Record<string, Json>
})

/** A missing or changed signed PDF is left out: the doctor reports it. */
async function filesOf(ctx: Ctx, budget: BudgetRow, signature: SignatureRow | null): Promise<File[]> {
  const name = `${budget.number}-v${budget.version}`
  const pdf = budget.signed_pdf_status === 'ready' && budget.signed_pdf_key ? await readSignedPdf(ctx, budget) : null
  return [
    ...pdf ? [{ name: `${name}-signed.pdf`, bytes: pdf }] : [],
    ...signature?.image ? [{ name: `${name}-signature.png`, bytes: new Uint8Array(signature.image) }] : []
  ]
}
