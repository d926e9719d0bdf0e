import { isId, type Ctx } from '@svc/kit'
import {
  countReasons,
  sumByMonthSent,
  type Period,
  type RejectionReason,
  type SentMonth
} from './db/reports/acceptance.ts'
import { markWithdrawnInvoiced } from './db/attention.ts'
import { listAccepted, type AcceptedBudget, type AcceptedIn } from './db/reports/accepted.ts'
import { findBudget, type BudgetKey } from './db/budgets.ts'
import { listItems } from './db/items.ts'
import { agreedItems } from './services/budget/offer.ts'
import { findMissing } from './db/missing.ts'
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

export type { AcceptedBudget, SentMonth }
export type { PatientPageSession } from './http/page-access.ts'
export type { PatientPageAt } from './services/link/collect-sections.ts'

/** The result of `ctx.use<Budgets>('budget')`. */
export interface Budgets {
  /** Null if the id is unknown, malformed, or another clinic's. */
  getBudget(clinic_id: string, id: string): Promise<PricedBudget | null>
  /**
   * Results of the budgets sent in a period: months without budgets are omitted, and the last row is the whole period.
   */
  acceptance(period: Period): Promise<{ months: SentMonth[], reasons: RejectionReason[] }>
  /** Budgets accepted in a period, by number. */
  acceptedIn(span: AcceptedIn): Promise<AcceptedBudget[]>
  /** The keys that no budget has. */
  findMissing(keys: BudgetKey[]): Promise<BudgetKey[]>
  /** Adds a withdrawn budget with an invoice to the attention list, or removes it. */
  markWithdrawnInvoiced(key: BudgetKey, is_invoiced: boolean): Promise<void>
}

export const createExports = (ctx: Ctx): Budgets => ({
  getBudget: (clinic_id, id) => findPriced(ctx, { clinic_id, id }),
  async acceptance(period) {
    const [months, reasons] = await Promise.all([sumByMonthSent(ctx.db, period), countReasons(ctx.db, period)])
    return { months, reasons }
  },
  acceptedIn: span => listAccepted(ctx.db, span),
  findMissing: keys => findMissing(ctx.db, keys),
  markWithdrawnInvoiced: (key, is_invoiced) => markWithdrawnInvoiced(ctx.db, key, is_invoiced)
})

async function findPriced(ctx: Ctx, key: BudgetKey): Promise<PricedBudget | null> {
  const row = isId(key.id) ? await findBudget(ctx.db, key) : null
  if (!row) return null
  const [items, now] = await Promise.all([listItems(ctx.db, row.id), ctx.clock.now()])
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
