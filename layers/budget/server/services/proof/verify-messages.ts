import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import { isMessageSealed } from '../log/message-seal.ts'
import { compareWithBackup, type Fault } from './fault.ts'

/** Each message in the log exists, and each existing message is unchanged. */
export function verifyMessages(ctx: Ctx, { budget, rows, messages }: Proof): Fault[] {
  if (budget.erased_at !== null || budget.sent_at === null) return []
  const named = rows.flatMap(({ action, detail }) =>
    action === 'question_asked' || action === 'question_answered' ? String(detail.message_id) : []
  )
  const isWhole
    = messages.every(message => isMessageSealed(ctx.secrets, message))
      && named.every(id => messages.some(message => message.id === id))
  if (isWhole) return []
  return [{
    code: 'message_changed',
    message: 'A message of its thread was changed, added or deleted directly in the database.',
    fix: compareWithBackup('its messages')
  }]
}
