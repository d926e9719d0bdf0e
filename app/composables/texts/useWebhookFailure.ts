import type { WebhookFailure } from '../../../shared/webhooks.ts'

/** Why an attempt failed, in the language of the page; what an earlier release kept is shown as it is. */
export function useWebhookFailure() {
  const { t } = useI18n()
  return (failure: WebhookFailure | null, kept: string | null): string | null =>
    failure ? t(webhookFailureKey(failure), { value: failure.value ?? '' }) : kept
}
