import type { Ctx } from '@svc/kit'
import type { Billing, RecordedAdvance } from '@svc/kit/modules/billing'
import type { AdvanceRow } from './db/advances.ts'
import { sumAdvancesByMonth, sumByMonth } from './db/months.ts'
import { giveBack } from './services/advances/give-back.ts'
import { recordAdvance } from './services/advances/record-advance.ts'
import { appliedOf } from '../shared/domain/advances.ts'

export const createExports = (ctx: Ctx): Billing => ({
  invoicedByMonth: about => sumByMonth(ctx.db, about),
  advancesByMonth: about => sumAdvancesByMonth(ctx.db, about),
  recordAdvance: async (tx, advance) => toRecorded((await recordAdvance(ctx, tx, advance)).advance),
  returnAdvance: async (tx, about) => toRecorded(await giveBack(ctx, tx, about))
})

const toRecorded = (row: AdvanceRow): RecordedAdvance =>
  ({ id: row.id, number: row.number, applied: appliedOf(row), balance: row.balance })
