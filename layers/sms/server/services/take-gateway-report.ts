import { problem, type Ctx } from '@svc/kit'
import { readReport } from '../../shared/domain/report.ts'
import { findByName } from '../db/messages.ts'
import { takeAnswer } from './take-answer.ts'
import { takeReport } from './take-report.ts'

interface Report { clinic_id: string, type: string, bytes: Uint8Array }

/**
 * The address is the proof. A report of something between, or of an unknown message, changes nothing. Throws
 * `validation_failed` unless the body has members.
 */
export async function takeGatewayReport(ctx: Ctx, { clinic_id, type, bytes }: Report): Promise<void> {
  const fields = readFields(type, new TextDecoder().decode(bytes))
  if (!fields) throw problem('validation_failed', { errors: [{ pointer: '', message: 'Must be a report.' }] })
  const report = readReport(fields)
  if (report?.kind === 'answer')
    return await takeAnswer(ctx, { clinic_id, channel: 'sms', from: report.from, text: report.text })
  const row = report && await findByName(ctx.db, { clinic_id, name: report.id, via: 'http' })
  if (report && row) await takeReport(ctx, row, { state: report.state, error: null, ref: null })
}

function readFields(type: string, text: string): Record<string, unknown> | null {
  if (type !== 'application/json') return Object.fromEntries(new URLSearchParams(text))
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : null
  } catch {
    return null
  }
}
