import type { WebhookFailure } from '../../../shared/webhooks.ts'

/** Why an attempt failed, in the page's language. Reasons that an earlier release stored as text stay unchanged. */
export function useWebhookFailure() {
  const { t } = useI18n()
  return (failure: WebhookFailure | null, kept: string | null): string | null =>
    failure ? t(webhookFailureKey(failure), { value: failure.value ?? '' }) : kept
}
