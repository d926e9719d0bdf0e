import { getCountries } from 'libphonenumber-js/min'
import { LANGUAGES } from '@svc/kit/schemas'
import type { CountryHints } from '../../../shared/setup.ts'

/** ISO 4217 → ISO 3166-1, as of 2026: Intl knows zones and languages of a country, but not its currency. */
const COUNTRIES: Record<string, string> = {
  EUR: `AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT`,
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL US VG VI',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  AUD: 'AU CC CX KI NF NR TV',
  GBP: 'GB GG IM JE',
  NZD: 'CK NU NZ TK',
  DKK: 'DK FO GL',
  NOK: 'NO SJ',
  XPF: 'NC PF WF',
  CHF: 'CH LI',
  ILS: 'IL PS',
  MAD: 'EH MA',
  SHP: 'AC SH TA',
  XCG: 'CW SX',
  AED: 'AE', AFN: 'AF', ALL: 'AL', AMD: 'AM', AOA: 'AO', ARS: 'AR', AWG: 'AW', AZN: 'AZ', BAM: 'BA', BBD: 'BB',
  BDT: 'BD', BHD: 'BH', BIF: 'BI', BMD: 'BM', BND: 'BN', BOB: 'BO', BRL: 'BR', BSD: 'BS', BTN: 'BT', BWP: 'BW',
  BYN: 'BY', BZD: 'BZ', CAD: 'CA', CDF: 'CD', CLP: 'CL', CNY: 'CN', COP: 'CO', CRC: 'CR', CUP: 'CU', CVE: 'CV',
  CZK: 'CZ', DJF: 'DJ', DOP: 'DO', DZD: 'DZ', EGP: 'EG', ERN: 'ER', ETB: 'ET', FJD: 'FJ', FKP: 'FK', GEL: 'GE',
  GHS: 'GH', GIP: 'GI', GMD: 'GM', GNF: 'GN', GTQ: 'GT', GYD: 'GY', HKD: 'HK', HNL: 'HN', HTG: 'HT', HUF: 'HU',
  IDR: 'ID', INR: 'IN', IQD: 'IQ', IRR: 'IR', ISK: 'IS', JMD: 'JM', JOD: 'JO', JPY: 'JP', KES: 'KE', KGS: 'KG',
  KHR: 'KH', KMF: 'KM', KPW: 'KP', KRW: 'KR', KWD: 'KW', KYD: 'KY', KZT: 'KZ', LAK: 'LA', LBP: 'LB', LKR: 'LK',
  LRD: 'LR', LSL: 'LS', LYD: 'LY', MDL: 'MD', MGA: 'MG', MKD: 'MK', MMK: 'MM', MNT: 'MN', MOP: 'MO', MRU: 'MR',
  MUR: 'MU', MVR: 'MV', MWK: 'MW', MXN: 'MX', MYR: 'MY', MZN: 'MZ', NAD: 'NA', NGN: 'NG', NIO: 'NI', NPR: 'NP',
  OMR: 'OM', PAB: 'PA', PEN: 'PE', PGK: 'PG', PHP: 'PH', PKR: 'PK', PLN: 'PL', PYG: 'PY', QAR: 'QA', RON: 'RO',
  RSD: 'RS', RUB: 'RU', RWF: 'RW', SAR: 'SA', SBD: 'SB', SCR: 'SC', SDG: 'SD', SEK: 'SE', SGD: 'SG', SLE: 'SL',
  SOS: 'SO', SRD: 'SR', SSP: 'SS', STN: 'ST', SYP: 'SY', SZL: 'SZ', THB: 'TH', TJS: 'TJ', TMT: 'TM', TND: 'TN',
  TOP: 'TO', TRY: 'TR', TTD: 'TT', TWD: 'TW', TZS: 'TZ', UAH: 'UA', UGX: 'UG', UYU: 'UY', UZS: 'UZ', VES: 'VE',
  VND: 'VN', VUV: 'VU', WST: 'WS', YER: 'YE', ZAR: 'ZA', ZMW: 'ZM', ZWG: 'ZW'
}

/** For countries with several time zones, the one with the most people. */
const MAIN_ZONES: Record<string, string> = {
  AR: 'America/Buenos_Aires', AU: 'Australia/Sydney', BR: 'America/Sao_Paulo', CA: 'America/Toronto',
  CD: 'Africa/Kinshasa', CL: 'America/Santiago', CN: 'Asia/Shanghai', CY: 'Asia/Nicosia', DE: 'Europe/Berlin',
  EC: 'America/Guayaquil', ES: 'Europe/Madrid', FM: 'Pacific/Ponape', GL: 'America/Godthab', ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa', KZ: 'Asia/Almaty', MN: 'Asia/Ulaanbaatar', MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur', NZ: 'Pacific/Auckland', PF: 'Pacific/Tahiti', PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon', RU: 'Europe/Moscow', UA: 'Europe/Kiev', US: 'America/New_York', UZ: 'Asia/Tashkent'
}

const CURRENCIES = new Map(
  Object.entries(COUNTRIES).flatMap(([currency, codes]) => codes.split(' ').map(code => [code, currency] as const))
)

/** Countries with their default settings. Computed for each call, since set-up runs once in an instance's life. */
export const listCountries = (): CountryHints[] =>
  getCountries().flatMap((code) => {
    const currency = CURRENCIES.get(code)
    return currency ? [{ code, currency, time_zones: zonesOf(code), language: languageOf(code) }] : []
  })

/** Intl Locale Info of ECMA-402, which the types lack. */
type Place = Intl.Locale & { getTimeZones? (): string[] | undefined }

function zonesOf(code: string): string[] {
  const place: Place = new Intl.Locale(`und-${code}`)
  const zones = place.getTimeZones?.() ?? []
  const main = MAIN_ZONES[code]
  return main && zones.includes(main) ? [main, ...zones.filter(zone => zone !== main)] : zones
}

/** Null if most people there speak none of our languages. */
function languageOf(code: string): string | null {
  const { language } = new Intl.Locale(`und-${code}`).maximize()
  return LANGUAGES.find(known => known === language) ?? null
}
