import { displayLocale } from '../locale.ts'

export type DatePart = 'day' | 'month' | 'year'

const orders = new Map<string, DatePart[] | null>()
/** Which of day, month and year comes first in the clinic's country; null if Intl has no English of that country. */
export function orderOf(locale: string, country: string | null): DatePart[] | null {
  const key = `${locale} ${country}`
  let order = orders.get(key)
  if (order === undefined) {
    order = findOrder(new Intl.Locale(displayLocale(locale)), country)
    orders.set(key, order)
  }
  return order
}

function findOrder({ language, region }: Intl.Locale, country: string | null): DatePart[] | null {
  const place = region ?? country
  if (place === null && language === 'en') return null
  const short = { dateStyle: 'short', calendar: 'gregory', numberingSystem: 'latn' } as const
  let format = new Intl.DateTimeFormat(place === null ? language : `${language}-${place}`, short)
  // For a country without its own English, Intl would use that of the United States.
  if (place !== null && !format.resolvedOptions().locale.includes(`-${place}`))
    format = new Intl.DateTimeFormat(`${new Intl.Locale(`und-${place}`).maximize().language}-${place}`, short)
  const types = format.formatToParts(new Date(0)).map(({ type }) => type)
  return types.filter(type => type === 'day' || type === 'month' || type === 'year')
}

/**
 * A date that `readDay` reads: `31/12/1985` for Spain, `12/31/1985` for the US, ISO's form if the order is unknown. Its
 * day can't be taken for a month.
 */
export function dateExample({ locale, country }: { locale: string, country: string | null }): string {
  const order = orderOf(locale, country)
  if (!order) return '1985-12-31'
  const separator = order[0] === 'year' ? '-' : locale.startsWith('de') ? '.' : '/'
  return order.map(type => ({ year: '1985', month: '12', day: '31' })[type]).join(separator)
}
