/** Reads the cells of an imported file. Numbers and dates have the clinic's format, or ISO's. */

/** Why a row of a file is left out: every sentence of the product, so that screens can translate them. */
export const WRONG: {
  readonly required: string
  readonly text: string
  readonly long: string
  readonly email: string
  readonly phone: string
  readonly phone_short: string
  readonly phone_long: string
  readonly phone_length: string
  readonly phone_code: string
  readonly spreadsheet: string
  readonly date: string
  readonly read_dmy: string
  readonly read_mdy: string
  readonly read_century: string
  readonly read_dmy_century: string
  readonly read_mdy_century: string
  readonly read_serial: string
  readonly birth: string
  readonly language: string
  readonly amount: string
  readonly negative: string
  readonly no_price: string
  readonly price_two_ways: string
  readonly vat_two_ways: string
  readonly vat_negative: string
  readonly read_fraction: string
  readonly digits: string
  readonly large: string
  readonly percent: string
  readonly yes_no: string
  readonly category: string
  readonly code: string
  readonly taken: string
  readonly twice: string
  readonly several: string
  readonly cells: string
  readonly external_id: string
  readonly letters: string
  readonly another: string
  readonly full_name: string
  readonly in_notes: string
}

/** "Correo electrónico" → "correo electronico", so that headers and words compare equal in any spelling. */
export function foldHeader(text: string): string
/**
 * `1.234,50 €` of a Spanish clinic, or `1234.50`, → `1234.50`; null for other texts. The currency's code or sign, or a
 * percent sign, may come before or after the number. `1,234.50` is read too, since it has only one meaning.
 */
export function readDecimal(text: string, at: { locale: string, currency?: string }): string | null
/** `sí`, `nein`, `1`, `WAHR` …; null for any other word. */
export function readYesNo(text: string): boolean | null
/** `es`, `es-MX`, `Español`, `Spanish`, `Spanisch` … → `es`; null for a language that the product doesn't support. */
export function readLanguage(text: string): string | null
