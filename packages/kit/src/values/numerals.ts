/** Digits as people type them: of any Unicode script (`\p{Nd}`), with the separators of their keyboards. */

const DIGIT = /\p{Nd}/u
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu

// Unicode has the ten digits of a script in sequence, starting at its zero (The Unicode Standard, 4.6).
function toLatinDigit(digit: string): string {
  const point = digit.codePointAt(0)!
  let zero = point
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

/** `٢٤٦`, `۲۴۶`, `２４６`, `२४६` → `246`; the rest of the text stays. */
export const toLatinDigits = (text: string): string => text.replace(FOREIGN_DIGITS, toLatinDigit)

// Separators of digits: blanks, dashes, invisible marks, points, commas and apostrophes of any script.
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212.,'_\u00B7\u2019\u060C\u066B\u066C\uFF07\uFF0C\uFF0E]/gu

/** A code: ` 246-810 `, `٢٤٦ ٨١٠` → `246810`. Separators are dropped; everything else stays. */
export const joinDigits = (text: string): string => toLatinDigits(text).replace(SEPARATORS, '')

const INVISIBLE = /\p{Cf}/gu

/** An amount as on the wire: `٤٥٫٥٠` → `45.50`, without white space and invisible marks around it. */
export const toDecimalText = (text: string): string =>
  toLatinDigits(text.replace(INVISIBLE, '').trim()).replaceAll('\u066C', '').replace(/[\u066B\uFF0E]/g, '.')

/** A date: `１９８５-04-03` → `1985-04-03`, without white space and invisible marks. */
export const toPlainDigits = (text: string): string => toLatinDigits(text.replace(INVISIBLE, '').trim())
