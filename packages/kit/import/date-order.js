import { displayLocale } from '../locale.js'

const orders = new Map()
/** Which of day, month and year comes first in the clinic's country; null if Intl has no English of that country. */
export function orderOf(locale, country) {
  const key = `${locale} ${country}`
  if (!orders.has(key)) orders.set(key, findOrder(new Intl.Locale(displayLocale(locale)), country))
  return orders.get(key)
}

function findOrder({ language, region = null }, country) {
  const place = region ?? country
  if (place === null && language === 'en') return null
  const short = { dateStyle: 'short', calendar: 'gregory', numberingSystem: 'latn' }
  let format = new Intl.DateTimeFormat(place === null ? language : `${language}-${place}`, short)
  // For a country without its own English, Intl would use that of the United States.
  if (place !== null && !format.resolvedOptions().locale.includes(`-${place}`))
    format = new Intl.DateTimeFormat(`${new Intl.Locale(`und-${place}`).maximize().language}-${place}`, short)
  const types = format.formatToParts(new Date(0)).map(({ type }) => type)
  return types.filter(type => ['day', 'month', 'year'].includes(type))
}

/** The last day of 1985: its day can't be taken for a month. */
export function dateExample({ locale, country }) {
  const order = orderOf(locale, country)
  if (!order) return '1985-12-31'
  const separator = order[0] === 'year' ? '-' : locale.startsWith('de') ? '.' : '/'
  return order.map(type => ({ year: '1985', month: '12', day: '31' })[type]).join(separator)
}
