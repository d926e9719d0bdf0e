import { randomUUID } from 'node:crypto'
import { isProblem, type AuditEntry, type Ctx } from '@svc/kit'
import type { ChannelName, TestCode, TestRequest, TestResult } from '../../shared/contract.ts'
import { countSegments } from '../../shared/domain/segments.ts'
import { providerOf } from '../providers/index.ts'
import { NotTaken, Unknown } from '../providers/provider.ts'
import { settingsOf } from '../settings.ts'
import { testText } from '../texts.ts'
import { readNumber } from './read-number.ts'
import { sendMessage } from './send-message.ts'

interface Test extends TestRequest { clinic_id: string, who: Pick<AuditEntry, 'actor' | 'client'> }

/** Tests the provider with the stored settings: the connection, or with a number a whole message. */
export async function testProvider(ctx: Ctx, test: Test): Promise<TestResult> {
  const { clinic_id, channel, to, who } = test
  const result = to ? await sendTest(ctx, { ...test, to }) : await testConnection(ctx, test)
  await ctx.db.transaction(tx => ctx.audit.record(tx, {
    clinic_id, ...who, action: 'mail_tested', target: { kind: 'channel', id: null }, detail: { channel, result: result.code }
  }))
  return result
}

async function testConnection(ctx: Ctx, { clinic_id, channel }: Test): Promise<TestResult> {
  const settings = await settingsOf(ctx, clinic_id)
  const provider = providerOf(settings)
  const missing = provider.missing(settings, channel)
  return missing ? failed('incomplete', missing) : { ...await provider.test(ctx, settings), parts: null }
}

async function sendTest(
  ctx: Ctx,
  { clinic_id, channel, to, locale }: Test & { to: string }
): Promise<TestResult> {
  const clinic = await ctx.clinics.get(clinic_id)
  const settings = await settingsOf(ctx, clinic_id)
  const missing = providerOf(settings).missing(settings, channel)
  if (missing) return failed('incomplete', missing)
  const read = await readNumber(to, clinic.country)
  if (read.number === null) return failed('bad_number', read.reason)
  const text = testText(clinic.name, locale ?? clinic.locale)
  const message = {
    id: randomUUID(), clinic_id, to: read.number, locale: locale ?? clinic.locale, kind: 'test' as const, text
  }
  try {
    const { via } = await sendMessage(ctx, channel as ChannelName, message)
    return { ok: true, code: via === 'file' ? 'file' : 'sent', detail: null, parts: countSegments(text).parts }
  } catch (error) {
    return explain(error)
  }
}

const failed = (code: TestCode, detail: string | null): TestResult => ({ ok: false, code, detail, parts: null })

const WRONG_KEY = ['20003', '20404', '401', '403']
const NOT_ALLOWED = ['host', 'not_https', 'private_address']

function explain(error: unknown): TestResult {
  if (isProblem(error) && error.code === 'undeliverable') {
    const reason = String(error.fields.reason ?? '')
    return failed(reason === 'limit' || reason === 'stopped' ? reason : 'refused', reason)
  }
  if (!(error instanceof NotTaken || error instanceof Unknown)) throw error
  const { error: detail } = error
  if (WRONG_KEY.includes(detail)) return failed('wrong_key', detail)
  if (NOT_ALLOWED.includes(detail)) return failed('not_allowed', detail)
  return failed(/^\d+$/.test(detail) ? 'provider_error' : 'unreachable', detail)
}
