import type { Ctx } from '@svc/kit'
import type { TestAnswer } from '../../shared/contract.ts'
import { providerOf } from '../providers/index.ts'
import { settingsOf } from '../settings.ts'
import { webhookUrl } from './attempts/order.ts'

/** “Test the connection”, with the saved settings. The clinic's keys are sent to the provider, and nowhere else. */
export async function testConnection(ctx: Ctx, clinic_id: string): Promise<TestAnswer> {
  const settings = await settingsOf(ctx, clinic_id)
  const { provider: name, mode } = settings
  const provider = await providerOf(name)
  const missing = provider.missing(settings)
  const webhook_url = name === 'transfer' ? null : webhookUrl(ctx, clinic_id, name)
  const head = { provider: name, mode, missing, webhook_url }
  if (missing.length > 0) return { ...head, ok: false, code: 'missing', detail: null }
  const answer = await provider.test(ctx, settings)
  return answer.ok
    ? { ...head, ok: true, code: 'ok', detail: null }
    : { ...head, ok: false, code: answer.code, detail: answer.detail }
}
