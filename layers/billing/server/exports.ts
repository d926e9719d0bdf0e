import { isId, type Ctx } from '@svc/kit'
import type { Billing, BilledAdvance, RecordedAdvance } from '@svc/kit/modules/billing'
import { findAdvance, type StoredAdvance } from './db/advances.ts'
import { sumAdvancesByMonth, sumByMonth } from './db/months.ts'
import { recordAdvance } from './services/advances/record-advance.ts'
import { returnAdvance } from './services/advances/return-advance.ts'
import { viewInvoice, viewInvoicesOf } from './services/get-invoice.ts'
import { appliedOf } from '../shared/domain/advances.ts'

export const createExports = (ctx: Ctx): Billing => ({
  getInvoice: (clinic_id, id, tx) => viewInvoice(tx ?? ctx.db, { clinic_id, id }),
  listInvoicesOf: (clinic_id, budget_id, tx) => viewInvoicesOf(tx ?? ctx.db, { clinic_id, budget_id }),
  getAdvance: async (clinic_id, id, tx) => {
    const row = isId(id) ? await findAdvance(tx ?? ctx.db, { clinic_id, id }) : null
    return row && toBilled(row)
  },
  invoicedByMonth: about => sumByMonth(ctx.db, about),
  advancesByMonth: about => sumAdvancesByMonth(ctx.db, about),
  recordAdvance: async (tx, advance) => toRecorded((await recordAdvance(ctx, tx, advance)).advance),
  returnAdvance: async (tx, about) => toRecorded(await returnAdvance(ctx, tx, about))
})

const toRecorded = (row: StoredAdvance): RecordedAdvance =>
  ({ id: row.id, number: row.number, applied: appliedOf(row), balance: row.balance })

const toBilled = (row: StoredAdvance): BilledAdvance =>
  ({ ...toRecorded(row), currency: row.currency, amount: row.amount, returned: row.returned })
