/** The names of channels for people. They are loaded once a channel of a module is shown. */
export function useChannelName() {
  const { locale } = useI18n()
  const api = useBudgetApi()
  const names = useState<Record<string, string>>(`channel-names-${locale.value}`, () => ({}))
  const isAsked = useState(`channel-names-asked-${locale.value}`, () => false)

  async function load() {
    isAsked.value = true
    const { data } = await api.listChannels({ locale: locale.value })
    names.value = Object.fromEntries(data.map(({ name, label }) => [name, label]))
  }

  /** Until it is loaded, or if its module was removed, the name that programs use. */
  return function nameOf(channel: string): string {
    if (!isAsked.value) load().catch(() => { isAsked.value = false })
    return names.value[channel] ?? channel
  }
}
