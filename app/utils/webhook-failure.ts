import type { WebhookFailure } from '../../shared/webhooks.ts'

/** The translation key of a failure. Some failures have a text of their own for a missing value. */
export function webhookFailureKey({ code, value }: WebhookFailure): string {
  if (code === 'no_answer' && !value) return 'staff.webhooks.failure.no_connection'
  if (code === 'other' && !value) return 'staff.webhooks.failure.unknown'
  return `staff.webhooks.failure.${code}`
}
