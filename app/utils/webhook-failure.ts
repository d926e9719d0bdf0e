import type { WebhookFailure } from '../../shared/webhooks.ts'

/** The text of a failure; not each of them knows more than that it is one. */
export function webhookFailureKey({ code, value }: WebhookFailure): string {
  if (code === 'no_answer' && !value) return 'staff.webhooks.failure.no_connection'
  if (code === 'other' && !value) return 'staff.webhooks.failure.unknown'
  return `staff.webhooks.failure.${code}`
}
