import { displayAmount, displayLocale } from '@svc/kit/locale'

/** Formats money, numbers and times for the page's language and the clinic's time zone. */
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
    /** Formats `"1234.50"`. Intl gets the decimal text unparsed, so that no cent is lost. */
    money: (amount: string, currency: string = me.value?.clinic?.currency ?? 'EUR') =>
      displayAmount(amount, currency, language.value).replace('-', '\u2212'),
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(language.value, options).format(value),
    /** Formats a percentage in the API's form, such as `"7.5"`. */
    rate: (percent: string) =>
      new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 2 }).format(
        Number(percent) / 100
      ),
    percent: (part: number, whole: number) =>
      whole === 0
        ? '–'
        : new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 0 }).format(part / whole),
    /** Formats a calendar day, `2026-12-18`. */
    day: (day: string) =>
      new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`)
      ),
    /** Formats a calendar day without its year if that is the current one: `Dec 18`. */
    shortDay: (day: string) => shortDay(day, dayIn(zone.value), language.value),
    /** The same for the day of an instant in the clinic's time zone. */
    shortDayOf: (instant: string) => shortDay(dayIn(zone.value, new Date(instant)), dayIn(zone.value), language.value),
    /** The current day at the clinic, `2026-12-18`. */
    today: () => dayIn(zone.value),
    /** The day of an instant in the clinic's time zone. */
    dayOf: (instant: string) => date(instant, { dateStyle: 'medium' }),
    /** The day and time of an instant. */
    moment: (instant: string) => date(instant, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
    /** The day and time with seconds and the time zone's name, for evidence. */
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

const shortDay = (day: string, today: string, language: string) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: day.slice(0, 4) === today.slice(0, 4) ? undefined : 'numeric',
    timeZone: 'UTC'
  }).format(new Date(`${day}T00:00:00Z`))
