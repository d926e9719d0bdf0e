import { randomUUID } from 'node:crypto'
import type { Ctx, Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { insertMessage, nextSeq, type MessageRow } from '../../db/messages.ts'
import { messageSeal } from '../log/message-seal.ts'

type New = Pick<MessageRow, 'from' | 'user_id' | 'text'> & {
  /** The version that the message is about. */
  budget: BudgetRow
  now: Date
}

/** Adds a message to the thread of a number whose versions are all locked. */
export async function writeMessage(
  ctx: Ctx,
  tx: Tx,
  { budget, now, from, user_id, text }: New
): Promise<MessageRow> {
  const { id: budget_id, clinic_id, number, patient_id } = budget
  const row = {
    id: randomUUID(),
    clinic_id,
    number,
    budget_id,
    patient_id,
    seq: await nextSeq(tx, budget),
    from,
    user_id,
    text,
    at: now,
    read_at: null
  }
  const sealed = { ...row, seal: messageSeal(ctx.secrets, row) }
  await insertMessage(tx, sealed)
  return sealed
}
