import { isId, problem, type Caller, type Ctx, type Db, type Tx } from '@svc/kit'
import type { Budgets, PricedBudget } from '@svc/kit/modules/budget'
import { countReasons, sumByMonthSent } from './db/reports/acceptance.ts'
import { markWithdrawnInvoiced, markWithdrawnPaid } from './db/attention.ts'
import { listAccepted } from './db/reports/accepted.ts'
import { findBudget, type BudgetKey } from './db/budgets.ts'
import { listDone } from './db/sent/items-done.ts'
import { listItems } from './db/items.ts'
import { agreedItems } from './services/budget/offer.ts'
import { findLink } from './db/links.ts'
import { findMissing } from './db/missing.ts'
import { listOpenRows } from './db/reports/open.ts'
import { linkState } from './services/link/link-state.ts'
import { statusAt } from '../shared/domain/budget-state.ts'

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

async function listOpen(
  ctx: Ctx,
  clinic_id: string,
  query: Parameters<Budgets['listOpen']>[1]
): ReturnType<Budgets['listOpen']> {
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
  const [items, done, now] = await Promise.all([listItems(tx, row.id), listDone(tx, row.id), ctx.clock.now(tx)])
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
      tax,
      done_on: done.get(id) ?? null
    }))
  }
}
