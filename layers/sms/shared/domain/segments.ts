/**
 * How many SMS a text takes. A text of GSM 03.38's alphabet has septets: 160 in one SMS, 153 in each part of a longer
 * one. Any other text is sent as UCS-2: 70 units, or 67 in each part (3GPP TS 23.038 6.2.1, 23.040 9.2.3.24.1).
 */
const BASIC = new Set('@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà')
/** Two septets each: an escape and the character. */
const EXTENDED = new Set('\f^{}\\[~]|€')

export type Encoding = 'gsm7' | 'ucs2'

export interface Segments {
  encoding: Encoding
  /** Septets, or units of UCS-2. */
  units: number
  /** How many of the characters take two septets. */
  extended: number
  parts: number
  /** Units that one of these parts holds. */
  per_part: number
}

const SIZES = { gsm7: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const

export function countSegments(text: string): Segments {
  const characters = [...text]
  const encoding = characters.every(one => BASIC.has(one) || EXTENDED.has(one)) ? 'gsm7' : 'ucs2'
  const widthOf = (one: string) => encoding === 'ucs2' ? one.length : EXTENDED.has(one) ? 2 : 1
  const widths = characters.map(widthOf)
  const units = widths.reduce((sum, width) => sum + width, 0)
  const extended = encoding === 'gsm7' ? widths.filter(width => width === 2).length : 0
  const { single, part } = SIZES[encoding]
  return units <= single
    ? { encoding, units, extended, parts: 1, per_part: single }
    : { encoding, units, extended, parts: countParts(widths, part), per_part: part }
}

/** A character is never divided between two parts, so a part can end one unit early. */
function countParts(widths: number[], size: number): number {
  let [parts, taken] = [1, 0]
  for (const width of widths) {
    if (taken + width > size) [parts, taken] = [parts + 1, 0]
    taken += width
  }
  return parts
}
