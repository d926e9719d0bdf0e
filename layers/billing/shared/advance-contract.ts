import { paging } from '@svc/kit/schemas'
import * as z from 'zod'
import { ADVANCE_STATUSES } from './domain/advances.ts'
import { Amount, Id, Instant, Method, Money, orNothing, PaidAt, Person, plainText } from './schemas.ts'

export { ADVANCE_STATUSES }

const Status = z.enum(ADVANCE_STATUSES)
const SORT_KEYS = ['paid_at', 'number'] as const

// ---------------------------------------------------------------- requests

export const AdvanceQuery = z.strictObject({
  status: z.array(Status).max(ADVANCE_STATUSES.length).optional(),
  patient_id: Id.optional(),
  /** Advances of all versions of this budget. */
  budget_id: Id.optional(),
  sort: z.enum([...SORT_KEYS, ...SORT_KEYS.map(key => `-${key}` as const)]).default('-paid_at'),
  ...paging
})

export const AdvanceExportQuery = AdvanceQuery.omit({ page: true, page_size: true })

export const AdvanceRequest = z.strictObject({
  /** A budget that was sent, in any state. */
  budget_id: Id,
  /** In the budget's currency, `"60.00"`. */
  amount: Amount,
  method: Method,
  /** The default is now. Not after today in the clinic's zone. */
  paid_at: PaidAt,
  /** The payment's reference at the bank or provider. */
  reference: orNothing(plainText(200)),
  note: orNothing(plainText(500)),
  /** An id that the caller creates for each advance, so that a request that is sent twice records one advance. */
  advance_id: Id.optional()
})

export const ReturnRequest = z.strictObject({
  /** At most the balance, which is the default. */
  amount: Amount.optional(),
  reason: plainText(500),
  /** An id that the caller creates for each return, so that a request that is sent twice records one return. */
  reversal_id: Id.optional()
})

// ---------------------------------------------------------------- answers

export const AdvanceRow = z.object({
  id: Id,
  /** Of its receipt, `REC-2026-0001`. */
  number: z.string(),
  status: Status,
  /** The version that was paid for. */
  budget: z.object({ id: Id, number: z.string() }),
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  currency: z.string(),
  /** The sum of `applied` (to invoices), `returned` and `balance`. */
  amount: Money,
  applied: Money,
  returned: Money,
  balance: Money,
  method: Method,
  reference: z.string().nullable(),
  note: z.string().nullable(),
  paid_at: Instant,
  created_at: Instant
})

export const Advance = AdvanceRow.extend({
  /** Null if a module recorded it. */
  created_by: Person.nullable(),
  /** The payments of invoices that come from it, oldest first. The amount of a reversed one is in the balance again. */
  payments: z.array(z.object({
    id: Id,
    invoice: z.object({ id: Id, number: z.string() }),
    amount: Money,
    created_at: Instant,
    reversed_at: Instant.nullable()
  })),
  /** What was returned, oldest first. `reason` is null after the patient's data was erased. */
  reversals: z.array(z.object({
    id: Id,
    amount: Money,
    reason: z.string().nullable(),
    reversed_at: Instant,
    reversed_by: Person.nullable()
  }))
})

export type AdvanceQuery = z.infer<typeof AdvanceQuery>
export type AdvanceSort = AdvanceQuery['sort']
export type AdvanceExportQuery = z.infer<typeof AdvanceExportQuery>
export type AdvanceRequest = z.infer<typeof AdvanceRequest>
export type ReturnRequest = z.infer<typeof ReturnRequest>
export type AdvanceRow = z.infer<typeof AdvanceRow>
export type Advance = z.infer<typeof Advance>
