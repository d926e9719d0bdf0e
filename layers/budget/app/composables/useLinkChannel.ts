import type { ChannelRow } from '../../shared/contract.ts'

interface Way { value: string, label: string, description: string | undefined, disabled: boolean }
interface LinkTarget { budget_id: string, patient: { email: string | null } | null }

/**
 * How a link reaches the patient: by one of the channels, of which one that isn't ready says why, or by hand, which is
 * preselected if the patient has no email address. Until the channels are loaded, email and by hand are offered.
 */
export function useLinkChannel(open: Ref<boolean>, about: () => LinkTarget, texts: { by_hand: () => string }) {
  const { t, locale } = useI18n()
  const api = useBudgetApi()
  const codeChannel = useCodeChannel()
  const channel = ref('email')
  const listed = shallowRef<ChannelRow[] | null>(null)
  const email = computed(() => about().patient?.email)
  const hasEmail = computed(() => email.value !== null)

  watch(open, async (isOpen) => {
    if (!isOpen) return
    const query = { budget_id: about().budget_id, locale: locale.value }
    // Without them, email and by hand still work, and the server checks both.
    listed.value = (await api.listChannels(query).catch(() => null))?.data ?? null
  }, { immediate: true })

  const channels = computed(() => (listed.value ?? []).filter(({ name }) => name !== 'email' && name !== 'manual'))
  /** Codes never go where the link went, so a link that went by this channel could not be opened. */
  const keepForCodes = (way: Way): Way =>
    way.value === codeChannel.value?.name && !way.disabled
      ? { ...way, description: t('budget.detail.send.for_codes'), disabled: true }
      : way
  const items = computed(() => [
    {
      value: 'email',
      label: t('budget.detail.send.email'),
      description: email.value ?? (hasEmail.value ? undefined : t('budget.detail.send.no_email')),
      disabled: !hasEmail.value
    },
    ...channels.value.map(({ name, label, ready, reason, address }) => ({
      value: name,
      label: t('budget.detail.send.by', { channel: label }),
      description: (ready ? address : reason) ?? undefined,
      disabled: !ready
    })),
    { value: 'manual', label: t('budget.detail.send.manual'), description: texts.by_hand(), disabled: false }
  ].map(keepForCodes))
  /** Only long texts have room for a message of the staff. */
  const takesMessage = computed(() =>
    channel.value === 'email'
    || channels.value.some(({ name, short }) => name === channel.value && !short)
  )

  // Patient and channels load after the page, so the dialog may be open before we know them.
  watch([open, items], () => {
    if (items.value.some(({ value, disabled }) => value === channel.value && !disabled)) return
    channel.value = 'manual'
  }, { immediate: true })
  return { channel, hasEmail, items, takesMessage, codeChannel }
}
