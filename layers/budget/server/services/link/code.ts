import { randomInt } from 'node:crypto'
import { toLatinDigits } from '@svc/kit/numerals'

export const CODE = /^\d{4,8}$/
const GENERATED_DIGITS = 6

export function generateCode(): string {
  return String(randomInt(10 ** GENERATED_DIGITS)).padStart(GENERATED_DIGITS, '0')
}

/** The runs of digits in a text without spaces, dashes and other separators. */
function digitRuns(text: string): string[] {
  const plain = toLatinDigits(text.normalize('NFKC')).replace(/[^\p{L}\d]/gu, '')
  return plain.match(/\d+/g) ?? []
}

/** True if the message contains the code, even with spaces or dashes. */
export function containsCode(message: string, code: string): boolean {
  return digitRuns(message).some(run => run.includes(code))
}

/** Everything in a message that could be a code, to compare with a code of which only the hash is stored. */
export function codeCandidates(message: string): string[] {
  const found = new Set<string>()
  for (const run of digitRuns(message)) {
    for (let length = 4; length <= 8; length++) {
      for (let start = 0; start + length <= run.length; start++) found.add(run.slice(start, start + length))
    }
  }
  return [...found]
}
