import { isAscii, isUtf8 } from 'node:buffer'
import { linesOf } from './byte-lines.ts'
import type { Source } from './read-rows.ts'

/** How often a non-ASCII byte occurs between two others: `before << 16 | byte << 8 | after`. */
export type Triples = Map<number, number>

/** What the bytes of a whole file show about its encoding. */
export interface Scan {
  bytes: number
  hasZero: boolean
  /** Lines with non-ASCII letters that are valid UTF-8. */
  utf8_lines: number
  /** Some of these letters. */
  utf8_letters: string
  /** The number of lines that are not UTF-8, the first of them, and their letters. */
  other_lines: number
  first_others: number[]
  triples: Triples
  /** Quotation marks inside cells that a backslash precedes, minus those that are doubled. */
  backslashes: number
  /** The file ends inside a UTF-8 character. */
  isCut: boolean
}

const MAX_LINES = 50
const MAX_TRIPLES = 20_000

export async function scanBytes(source: Source): Promise<Scan> {
  const scan: Scan = {
    bytes: 0,
    hasZero: false,
    utf8_lines: 0,
    utf8_letters: '',
    other_lines: 0,
    first_others: [],
    triples: new Map(),
    backslashes: 0,
    isCut: false
  }
  for await (const { bytes, line, isLast } of linesOf(source())) {
    scan.bytes += bytes.length
    scan.hasZero ||= bytes.includes(0)
    if (bytes.includes(BACKSLASH)) scan.backslashes += countQuotes(bytes)
    if (isAscii(bytes)) continue
    if (isUtf8(bytes)) addUtf8(scan, bytes, countLines(bytes))
    else for (const each of eachLine(bytes, line)) addLine(scan, each, isLast)
  }
  return scan
}

function addLine(scan: Scan, { bytes, line, isEnd }: Line, isLast: boolean): void {
  if (isAscii(bytes)) return
  if (isUtf8(bytes)) {
    addUtf8(scan, bytes, 1)
    return
  }
  const isCut = isLast && isEnd && isCutUtf8(bytes)
  scan.isCut ||= isCut
  scan.other_lines++
  if (!isCut && scan.first_others.length < MAX_LINES) scan.first_others.push(line)
  addTriples(scan.triples, bytes)
}

const MAX_CHARACTERS = 1000

function addUtf8(scan: Scan, bytes: Uint8Array, lines: number): void {
  scan.utf8_lines += lines
  const missing = MAX_CHARACTERS - scan.utf8_letters.length
  if (missing > 0) scan.utf8_letters += Buffer.from(bytes).toString().replace(/\p{ASCII}+/gu, '').slice(0, missing)
}

interface Line { bytes: Uint8Array, line: number, isEnd: boolean }

/** The lines of a block. */
export function* eachLine(block: Uint8Array, first: number): Generator<Line> {
  let [start, line] = [0, first]
  for (let at = 0; at < block.length; at++) {
    const byte = block[at]
    if (byte !== 0x0A && byte !== 0x0D) continue
    if (byte === 0x0D && block[at + 1] === 0x0A) at++
    yield { bytes: block.subarray(start, at + 1), line: line++, isEnd: false }
    start = at + 1
  }
  if (start < block.length) yield { bytes: block.subarray(start), line, isEnd: true }
}

/** Counts non-ASCII lines. The lines of a block that is valid UTF-8 need no further check. */
function countLines(block: Uint8Array): number {
  let count = 0
  for (const { bytes } of eachLine(block, 0)) if (!isAscii(bytes)) count++
  return count
}

/** Whether only the end of the last character is missing. */
export function isCutUtf8(bytes: Uint8Array): boolean {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const lead = bytes.at(-back)!
    if (lead < 0x80) return false
    if (lead >= 0xC2) {
      const size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      return back < size && isUtf8(bytes.subarray(0, bytes.length - back))
    }
  }
  return false
}

const [BACKSLASH, QUOTE] = [0x5C, 0x22]
const AT_END = new Set([...',;|\t\r\n"'].map(sign => sign.charCodeAt(0)))

/** `\"` before the rest of a cell occurs in no other kind of CSV; `""` does. */
function countQuotes(bytes: Uint8Array): number {
  let count = 0
  const isInside = (byte: number | undefined) => byte !== undefined && !AT_END.has(byte)
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    if (bytes[at - 1] === BACKSLASH && isInside(bytes[at + 1])) count++
    else if (bytes[at + 1] === QUOTE && isInside(bytes[at - 1]) && isInside(bytes[at + 2])) count--
  }
  return count
}

function addTriples(triples: Triples, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte < 0x80) continue
    const key = ((bytes[at - 1] ?? 0x0A) << 16) | (byte << 8) | (bytes[at + 1] ?? 0x0A)
    const count = triples.get(key)
    if (count !== undefined || triples.size < MAX_TRIPLES) triples.set(key, (count ?? 0) + 1)
  }
}
