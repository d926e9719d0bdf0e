import iconv from 'iconv-lite'
import type { ImportEncoding } from '@svc/kit'
import { FREQUENT, LETTERS } from './letters.ts'
import type { Triples } from './scan-bytes.ts'

/** Single-byte encodings that are guessed, the most common first: on a tie the first one wins. */
const CANDIDATES: ImportEncoding[] = [
  'windows-1252', 'windows-1250', 'windows-1256', 'windows-1254', 'windows-1257', 'cp850', 'macintosh', 'iso-8859-15',
  'iso-8859-2', 'cp852', 'cp437', 'windows-1251', 'windows-1253', 'iso-8859-6'
]

const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
const tables = new Map<ImportEncoding, string>()
/** Byte → letter. */
function tableOf(encoding: ImportEncoding): string {
  if (!tables.has(encoding)) tables.set(encoding, iconv.decode(BYTES, encoding))
  return tables.get(encoding)!
}

const LIKE_MANY = 20

/**
 * Reads each non-ASCII letter between its neighbours in every encoding. Letters of the clinic's language inside words
 * score higher than symbols, or capitals in the middle of a word. Detection libraries (chardet) don't support the DOS
 * and Macintosh encodings, and need longer texts than a file of names.
 */
export function guessEncoding(triples: Triples, locale: string): ImportEncoding {
  const language = locale.split('-')[0]!.toLowerCase()
  const own = new Set(LETTERS[language] ?? '')
  const any = new Set(Object.values(LETTERS).join(''))
  const known: Known = { own, any, language }
  const candidates = language === 'ar' ? ['windows-1256' as const, ...CANDIDATES] : CANDIDATES
  let best = { encoding: candidates[0]!, score: -Infinity }
  for (const encoding of candidates) {
    const table = tableOf(encoding)
    let score = 0
    for (const [triple, count] of triples) {
      const [before, letter, after] = [table[triple >> 16]!, table[(triple >> 8) & 0xFF]!, table[triple & 0xFF]!]
      score += scoreLetter(before, letter, after, known) * Math.min(count, LIKE_MANY)
    }
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

/**
 * Whether people write such letters: a line in another encoding that happens to be valid UTF-8 contains unusual ones.
 */
export function isWritten(letters: string): boolean {
  const written = /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}“”„‘’«»–—…•€ºª°¿¡\u00A0\uFEFF]/u
  const any = new Set(Object.values(LETTERS).join(''))
  const all = [...letters]
  return all.filter(letter => any.has(letter.toLowerCase()) || written.test(letter)).length >= all.length * 0.9
}

interface Known { own: Set<string>, any: Set<string>, language: string }

const isLetter = (text: string) => /\p{L}/u.test(text)
const isUpper = (text: string) => /\p{Lu}/u.test(text)
const isLower = (text: string) => /\p{Ll}/u.test(text)
const isDigit = (text: string) => /\d/.test(text)
const isAbove = (text: string) => text > '\u007F'

function scoreLetter(before: string, letter: string, after: string, known: Known): number {
  if (/[\uFFFD\p{Cc}]/u.test(letter)) return -8
  return isLetter(letter) && !/[ºª]/.test(letter)
    ? scoreInWord(before, letter, after, known)
    : scoreSign(before, letter, after)
}

const scripts = [/\p{Script=Latin}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
const scriptOf = (letter: string) => scripts.findIndex(script => script.test(letter))

function scoreInWord(before: string, letter: string, after: string, { own, any, language }: Known): number {
  const [left, right] = [isLetter(before), isLetter(after)]
  if ([left && before, right && after].some(next => next && scriptOf(next) !== scriptOf(letter))) return -4
  // A capital after a small letter, or a capital between a capital and a small letter, such as in "MÅller".
  if ((isLower(before) && isUpper(letter)) || (isLower(letter) && isUpper(after))) return -4
  if (isUpper(before) && isUpper(letter) && isLower(after)) return -2
  if (scriptOf(letter) > 0) return scoreForeign(letter, language) + (left || right ? 0 : -2)
  if (left && right && isAbove(before) && isAbove(after)) return -3
  const small = letter.toLowerCase()
  const weight = own.has(small) ? 3 : any.has(small) ? 1 : -1
  return left || right ? weight : Math.min(weight, 0)
}

/** Scores a letter of another script. Arabic counts, because it is a language of the product. */
const scoreForeign = (letter: string, language: string) =>
  (FREQUENT.includes(letter.toLowerCase()) ? 2 : 0.5) + (scriptOf(letter) === 1 ? 0.5 : 0) + (language === 'ar' ? 1 : 0)

function scoreSign(before: string, sign: string, after: string): number {
  const [left, right] = [isLetter(before), isLetter(after)]
  if (/[’‘]/.test(sign)) return left && right ? 2.5 : left || right ? 0.5 : 0
  if (/[“”„‚«»–—…•·]/.test(sign)) return scoreQuote(before, sign, after)
  if (/[ºª°]/.test(sign)) return right ? -2 : left || isDigit(before) ? 2 : 0
  if (/[¿¡]/.test(sign)) return right && !left ? 2 : -3
  if (/[€£]/.test(sign)) return left || right ? -3 : 2
  if (/[،؛؟]/.test(sign)) return left ? 2 : 0
  if (sign === '\u00A0') return 0.5
  if (/\p{M}/u.test(sign)) return left ? 1 : -3
  return /[±½¼¾×µ²³%]/.test(sign) && isDigit(before) ? 0 : -4
}

/** Quotation marks, dashes and dots occur beside words, not inside them, and each on its own side. */
function scoreQuote(before: string, sign: string, after: string): number {
  const [left, right] = [isLetter(before), isLetter(after)]
  if (left && right) return sign === '·' ? 1 : -3
  const isOdd = (/[»”]/.test(sign) && right) || (sign === '«' && left)
  return isOdd ? -2 : 1
}
