import { isId, problem, type Caller, type Ctx, type Db, type Tx } from '@svc/kit'
import {
  countReasons,
  sumByMonthSent,
  type Period,
  type RejectionReason,
  type SentMonth
} from './db/reports/acceptance.ts'
import { markWithdrawnInvoiced, markWithdrawnPaid } from './db/attention.ts'
import { listAccepted, type AcceptedBudget, type AcceptedIn } from './db/reports/accepted.ts'
import { findBudget, type BudgetKey } from './db/budgets.ts'
import { listItems } from './db/items.ts'
import { agreedItems } from './services/budget/offer.ts'
import { findLink } from './db/links.ts'
import { findMissing } from './db/missing.ts'
import { listOpenRows, type OpenQuery } from './db/reports/open.ts'
import { linkState } from './services/link/link-state.ts'
import { statusAt, type Status } from '../shared/domain/budget-state.ts'
import type { Texts } from '../shared/domain/texts.ts'

/** Money in minor units of `currency`; `vat` in hundredths of a percent. */
export interface PricedBudget {
  id: string
  number: string
  version: number
  status: Status
  patient: { id: string, first_name: string, last_name: string }
  professional: { id: string, name: string } | null
  currency: string
  locale: string
  total: bigint
  tax_total: bigint
  decided_at: Date | null
  /** When the acceptance was withdrawn; the status stays `accepted`. */
  withdrawn_at: Date | null
  /** Id of the staff member who recorded it. */
  withdrawn_by: string | null
  items: {
    id: string
    treatment_id: string
    code: string
    name: Texts
    quantity: number
    vat: number
    price: bigint
    tax: bigint
  }[]
}

/** A sent version that the patient can still decide on. Money in minor units of `currency`. */
export interface OpenBudget {
  id: string
  number: string
  version: number
  patient: { id: string, first_name: string, last_name: string }
  currency: string
  locale: string
  /** In a budget with choices, of the cheapest selection. */
  total: bigint
  sent_at: Date
  /** The last day, `YYYY-MM-DD`; it ends at `expires_at`. */
  valid_until: string | null
  expires_at: Date | null
}

export type { AcceptedBudget, OpenQuery, SentMonth }
export type { PatientPageSession } from './http/page-access.ts'
export type { PatientPageAt } from './services/link/collect-sections.ts'

/** The result of `ctx.use<Budgets>('budget')`. */
export interface Budgets {
  /** Null if the id is unknown, malformed, or another clinic's. With `tx` it reads through that transaction. */
  getBudget(clinic_id: string, id: string, tx?: Tx): Promise<PricedBudget | null>
  /**
   * Results of the budgets sent in a period: months without budgets are omitted, and the last row is the whole period.
   */
  acceptance(period: Period): Promise<{ months: SentMonth[], reasons: RejectionReason[] }>
  /** Budgets accepted in a period, by number. */
  acceptedIn(span: AcceptedIn): Promise<AcceptedBudget[]>
  /** Budgets that wait for their patient's decision, the longest waiting first. */
  listOpen(clinic_id: string, query: OpenQuery): Promise<{ rows: OpenBudget[], total: number }>
  /**
   * The address of the patient's page of an open budget; null for any other. Who knows it and the code can decide, so
   * this needs `"grants": ["budget.link"]` in the manifest: otherwise it throws `grant_missing`.
   */
  linkOf(clinic_id: string, id: string): Promise<string | null>
  /** The keys that no budget has. */
  findMissing(keys: BudgetKey[]): Promise<BudgetKey[]>
  /** Adds a withdrawn budget with an invoice to the attention list, or removes it. */
  markWithdrawnInvoiced(key: BudgetKey, is_invoiced: boolean): Promise<void>
  /** The same for a withdrawn or cancelled number whose advance was not returned. */
  markWithdrawnPaid(tx: Tx, key: { clinic_id: string, number: string }, is_paid: boolean): Promise<void>
}

export const createExports = (ctx: Ctx, caller: Caller): Budgets => ({
  getBudget: (clinic_id, id, tx) => findPriced(ctx, { clinic_id, id }, tx),
  async acceptance(period) {
    const [months, reasons] = await Promise.all([sumByMonthSent(ctx.db, period), countReasons(ctx.db, period)])
    return { months, reasons }
  },
  acceptedIn: span => listAccepted(ctx.db, span),
  listOpen: (clinic_id, query) => listOpen(ctx, clinic_id, query),
  linkOf: (clinic_id, id) => linkOf(ctx, caller, { clinic_id, id }),
  findMissing: keys => findMissing(ctx.db, keys),
  markWithdrawnInvoiced: (key, is_invoiced) => markWithdrawnInvoiced(ctx.db, key, is_invoiced),
  markWithdrawnPaid: (tx, key, is_paid) => markWithdrawnPaid(tx, key, is_paid)
})

async function listOpen(ctx: Ctx, clinic_id: string, query: OpenQuery): ReturnType<Budgets['listOpen']> {
  if (query.patient_id !== undefined && !isId(query.patient_id)) return { rows: [], total: 0 }
  const { rows, total } = await listOpenRows(ctx.db, { ...query, clinic_id })
  return {
    rows: rows.map(({ patient_id: id, patient_first_name, patient_last_name, sent_at, ...row }) => ({
      ...row,
      sent_at: sent_at!, // only sent budgets were selected
      patient: { id, first_name: patient_first_name, last_name: patient_last_name }
    })),
    total
  }
}

async function linkOf(ctx: Ctx, { module, grants }: Caller, key: BudgetKey): Promise<string | null> {
  if (!grants.includes('budget.link'))
    throw problem('grant_missing', {
      detail: `The module ${module} needs "budget.link" in grants of its manifest to read links of budgets.`
    })
  const budget = isId(key.id) ? await findBudget(ctx.db, key) : null
  if (!budget) return null
  const [link, now] = await Promise.all([findLink(ctx.db, budget.id), ctx.clock.now()])
  const { state, url } = linkState(ctx, { budget, link, now })
  return state === 'active' ? url : null
}

async function findPriced(ctx: Ctx, key: BudgetKey, tx: Tx | Db = ctx.db): Promise<PricedBudget | null> {
  const row = isId(key.id) ? await findBudget(tx, key) : null
  if (!row) return null
  const [items, now] = await Promise.all([listItems(tx, row.id), ctx.clock.now(tx)])
  const { id, number, version, currency, locale, total, tax_total, decided_at, withdrawn_at, withdrawn_by } = row
  return {
    id,
    number,
    version,
    status: statusAt(row, now),
    currency,
    locale,
    total,
    tax_total,
    decided_at,
    withdrawn_at,
    withdrawn_by,
    patient: { id: row.patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name },
    professional: row.professional_id === null ? null : { id: row.professional_id, name: row.professional_name ?? '' },
    items: agreedItems(row, items).map(({ id, treatment_id, code, name, quantity, vat, price, tax }) => ({
      id,
      treatment_id,
      code,
      name,
      quantity,
      vat,
      price,
      tax
    }))
  }
}
