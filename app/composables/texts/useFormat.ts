import { displayAmount, displayLocale } from '@svc/kit/locale'

/** Money, numbers and times as people of the page's language write them, in the clinic's zone. */
export function useFormat() {
  const { locale } = useI18n()
  const { me } = useSession()
  const zone = computed(() => me.value?.clinic?.time_zone ?? 'UTC')
  const language = computed(() => displayLocale(locale.value))

  const date = (instant: string | Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language.value, { timeZone: zone.value, ...options }).format(new Date(instant))

  return {
    zone,
    language,
    /** `"1234.50"`: the decimal text goes to Intl unparsed, no cent is lost. */
    money: (amount: string, currency: string = me.value?.clinic?.currency ?? 'EUR') =>
      displayAmount(amount, currency, language.value).replace('-', '\u2212'),
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(language.value, options).format(value),
    /** `"7.5"`, per cent as on the wire. */
    rate: (percent: string) =>
      new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 2 }).format(
        Number(percent) / 100
      ),
    percent: (part: number, whole: number) =>
      whole === 0
        ? '–'
        : new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 0 }).format(part / whole),
    /** A calendar day, `2026-12-18`. */
    day: (day: string) =>
      new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`)
      ),
    /** The clinic's day now, `2026-12-18`. */
    today: () => dayIn(zone.value),
    /** An instant as a day of the clinic. */
    dayOf: (instant: string) => date(instant, { dateStyle: 'medium' }),
    /** An instant, day and time. */
    moment: (instant: string) => date(instant, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
    /** The same with seconds and the zone's name, for proof. */
    exactly: (instant: string, timeZone: string = zone.value) =>
      date(instant, {
        timeZone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short'
      }),
    month: (month: string) =>
      new Intl.DateTimeFormat(language.value, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${month}-01T00:00:00Z`)
      ),
    languageName: (code: string) => new Intl.DisplayNames([locale.value], { type: 'language' }).of(code) ?? code
  }
}
