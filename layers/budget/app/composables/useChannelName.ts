/** The names of channels for people. They are loaded once a channel of a module is shown. */
export function useChannelNames() {
  const { locale } = useI18n()
  const api = useBudgetApi()
  const names = useState<Record<string, string> | null>(`channel-names-${locale.value}`, () => null)
  const isAsked = useState(`channel-names-asked-${locale.value}`, () => false)

  async function load() {
    isAsked.value = true
    const { data } = await api.listChannels({ locale: locale.value })
    names.value = Object.fromEntries(data.map(({ name, label }) => [name, label]))
  }
  function known() {
    if (!isAsked.value) load().catch(() => { isAsked.value = false })
    return names.value
  }

  return {
    /** Until it is loaded, or if its module was removed, the name that programs use. */
    nameOf: (channel: string): string => known()?.[channel] ?? channel,
    /** No running module has it. False until the names are loaded. */
    isMissing: (channel: string): boolean => {
      const found = known()
      return found !== null && !Object.hasOwn(found, channel)
    }
  }
}

export const useChannelName = () => useChannelNames().nameOf
