/** A style sheet with fonts for a group of scripts that the pages' own typeface lacks, see build/fallback-fonts.ts. */
export type FontSheet = 'chinese' | 'japanese' | 'korean' | 'others'

const KANA = /[\u3040-\u30FF\u31F0-\u31FF\uFF66-\uFF9F]/
const HANGUL = /[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7AF]/
const HAN = /[\u2E80-\u2FDF\u3005-\u3007\u3100-\u312F\u3400-\u9FFF\uF900-\uFAFF]|[\uD840-\uD888][\uDC00-\uDFFF]/
/** Hebrew, Devanagari, Thai and emoji. */
const OTHERS = /[\u05D0-\u05FF\u0904-\u097F\u0E00-\u0E7F\uFB1D-\uFB4F\u2600-\u27BF]|[\uD83C-\uD83E][\uDC00-\uDFFF]/

/**
 * The sheets that a text needs. Chinese characters look a little different in each country: with kana they are
 * Japanese, with Hangul Korean, otherwise Chinese.
 */
export function fontSheetsFor(text: string): FontSheet[] {
  const sheets: FontSheet[] = []
  if (KANA.test(text)) sheets.push('japanese')
  if (HANGUL.test(text)) sheets.push('korean')
  if (sheets.length === 0 && HAN.test(text)) sheets.push('chinese')
  if (OTHERS.test(text)) sheets.push('others')
  return sheets
}
