import type { Ctx } from '@svc/kit'
import { findMessage } from '../db/messages.ts'
import { stateOf } from '../providers/twilio.ts'
import { takeReport } from './take-report.ts'

interface Report { clinic_id: string, id: string, fields: Record<string, string> }

/** A verified report. One of something between, such as “sent”, changes nothing; so does one of an unknown message. */
export async function takeTwilioReport(ctx: Ctx, { clinic_id, id, fields }: Report): Promise<void> {
  const { MessageSid, MessageStatus, ErrorCode } = fields
  const state = stateOf(MessageStatus)
  const row = state && await findMessage(ctx.db, { clinic_id, id })
  if (!state || !row) return
  await takeReport(ctx, row, { state, error: ErrorCode || null, ref: MessageSid ?? null })
}
