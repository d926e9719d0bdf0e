import type { MessageRow } from '../../db/messages.ts'
import type { Macs } from './log-chain.ts'

const MESSAGE = 'budget.message'

type Sealed = Omit<MessageRow, 'read_at' | 'seal'>

const textOf = ({ id, clinic_id, number, budget_id, patient_id, seq, from, user_id, text, at }: Sealed) =>
  JSON.stringify([id, clinic_id, number, budget_id, patient_id, seq, from, user_id, text, at.getTime()])

/** Reveals messages that were changed, moved or added outside the service. */
export const messageSeal = (macs: Macs, row: Sealed): Buffer => macs.mac(MESSAGE, textOf(row))

export const isMessageSealed = (macs: Macs, row: MessageRow): boolean =>
  macs.verifyMac(MESSAGE, textOf(row), row.seal)
