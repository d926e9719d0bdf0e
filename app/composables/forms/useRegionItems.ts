import { isCurrency } from '@svc/kit/money'

/** The options for a clinic's currency, time zone and language. They always include the current values. */
export function useRegionItems(chosen: () => { currency: string, time_zone: string, locale: string }) {
  const { locale, locales } = useI18n()
  const { languageName } = useFormat()

  const currencies = computed(() => {
    const names = new Intl.DisplayNames([locale.value], { type: 'currency' })
    const known = new Set([...Intl.supportedValuesOf('currency').filter(isCurrency), chosen().currency])
    return [...known].filter(Boolean).map(code => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }))
  })
  const zones = computed(() => {
    const known = new Set([chosen().time_zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])
    return [...known]
      .filter(Boolean)
      .sort()
      .map(zone => ({ value: zone, label: zone.replaceAll('_', ' '), suffix: offsetOf(zone) }))
  })
  const languages = computed(() =>
    [...new Set([...locales.value.map(({ code }) => code as string), chosen().locale])].map(code => ({
      value: code,
      label: languageName(code)
    }))
  )
  return { currencies, zones, languages }
}

function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(new Date())
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
