/**
 * Whether a webhook of the clinic fails, for members who manage webhooks. Checked once a minute. If a check fails, the
 * last result stays, and no error is shown.
 */
export function useFailingWebhooks() {
  const { can } = useSession()
  const webhooks = useWebhooksApi()
  const may = computed(() => can('webhooks.manage'))
  const { data, load } = useLoaded(
    async signal => may.value && (await webhooks.list(signal)).data.some(({ state }) => state === 'failing'),
    () => may.value
  )
  useLive(async () => may.value && await load({ quietly: true }), 60)
  return computed(() => data.value ?? false)
}
