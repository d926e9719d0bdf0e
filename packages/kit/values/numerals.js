const DIGIT = /\p{Nd}/u
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu

// Unicode has the ten digits of a script in sequence, starting at its zero (The Unicode Standard, 4.6).
function toLatinDigit(digit) {
  const point = digit.codePointAt(0)
  let zero = point
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

export const toLatinDigits = text => text.replace(FOREIGN_DIGITS, toLatinDigit)

// Separators of digits: blanks, dashes, invisible marks, points, commas and apostrophes of any script.
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212.,'_\u00B7\u2019\u060C\u066B\u066C\uFF07\uFF0C\uFF0E]/gu

export const joinDigits = text => toLatinDigits(text).replace(SEPARATORS, '')

const INVISIBLE = /\p{Cf}/gu

export const toDecimalText = text =>
  toLatinDigits(text.replace(INVISIBLE, '').trim()).replaceAll('\u066C', '').replace(/[\u066B\uFF0E]/g, '.')

export const toPlainDigits = text => toLatinDigits(text.replace(INVISIBLE, '').trim())
