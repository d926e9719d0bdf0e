import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { ImportEncoding } from '@svc/kit'
import { linesOf } from './byte-lines.ts'
import { guessEncoding, isWritten } from './guess-encoding.ts'
import type { Source } from './read-rows.ts'
import { eachLine, isCutUtf8, scanBytes, type Scan } from './scan-bytes.ts'
import { unreadable } from './unreadable.ts'

export type Encoding = ImportEncoding

export interface Decoding {
  encoding: Encoding
  /** The encoding of those lines of a UTF-8 file that are not UTF-8, and the number of the first such line. */
  other?: Encoding
  other_lines?: number[]
  /** Quotation marks inside a cell are escaped with a backslash, as MySQL does. */
  backslashes?: boolean
}

const START = 4096
/**
 * The chosen encoding. Otherwise it is found by the byte order mark, by the zero bytes of UTF-16, or by the letters.
 * Throws `file_unreadable`.
 */
export async function findEncoding(source: Source, chosen: Encoding | undefined, locale: string): Promise<Decoding> {
  const start = await startOf(source)
  if (start.length === 0) throw unreadable('empty', 'The file is empty.')
  const [first, second] = start
  if (first === 0x50 && second === 0x4B)
    throw unreadable('not_csv', 'This is a workbook or an archive. Save the sheet as CSV, then upload that file.')
  if (chosen?.startsWith('utf-16')) return { encoding: chosen }
  const wide = chosen ? null : findWide(start)
  if (wide) return await decodeStrictly(source, wide)
  const scan = await scanBytes(source)
  if (scan.hasZero)
    throw unreadable('not_csv', 'This isn’t a text file. Save the sheet as CSV, then upload that file.')
  return { ...decodingOf(scan, start, chosen, locale), ...scan.backslashes > 0 && { backslashes: true } }
}

function decodingOf(scan: Scan, start: Uint8Array, chosen: Encoding | undefined, locale: string): Decoding {
  if (chosen !== undefined && chosen !== 'utf-8') return { encoding: chosen }
  return chosen || hasMark(start) || isMostlyUtf8(scan)
    ? toUtf8(scan, locale)
    : { encoding: guessEncoding(scan.triples, locale) }
}

const hasMark = ([first, second, third]: Uint8Array) => first === 0xEF && second === 0xBB && third === 0xBF

/** Ignores a truncated last character if there are others. */
const isMostlyUtf8 = ({ utf8_lines, utf8_letters, other_lines, isCut }: Scan) =>
  other_lines === 0 || (utf8_lines > 0 && ((isCut && other_lines === 1) || isWritten(utf8_letters)))

function toUtf8({ triples, other_lines, first_others }: Scan, locale: string): Decoding {
  return other_lines === 0
    ? { encoding: 'utf-8' }
    : { encoding: 'utf-8', other: guessEncoding(triples, locale), other_lines: first_others }
}

async function startOf(source: Source): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of source()) {
    pieces.push(piece)
    size += piece.length
    if (size >= START) break
  }
  return Buffer.concat(pieces).subarray(0, START)
}

/** UTF-16 has a byte order mark, or zeros in every other byte of its Latin letters, or it decodes to lines of text. */
function findWide(start: Uint8Array): Encoding | null {
  const [first, second] = start
  if (first === 0xFF && second === 0xFE) return 'utf-16le'
  if (first === 0xFE && second === 0xFF) return 'utf-16be'
  const count = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length
  const [even, odd, many] = [count(0), count(1), start.length / 8]
  if (odd > many && even === 0) return 'utf-16le'
  if (even > many && odd === 0) return 'utf-16be'
  if (even + odd === 0) return null
  return (['utf-16le', 'utf-16be'] as const).find(encoding => isLinesOfText(start, encoding)) ?? null
}

/** In the wrong byte order, a line end decodes to an unassigned character. */
function isLinesOfText(start: Uint8Array, encoding: Encoding): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true })
    return /[\r\n]/.test(text) && /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\t\v\r\n]+$/u.test(text)
  } catch {
    return false
  }
}

/** The last character may be truncated. */
async function decodeStrictly(source: Source, encoding: Encoding): Promise<Decoding> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of source()) decoder.decode(piece, { stream: true })
    return { encoding }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw unreadable('not_csv', `The file begins as ${encoding.toUpperCase()} text, but isn’t.`)
  }
}

const PIECE = 65_536

/** Decodes piece by piece, without the byte order mark. Unreadable bytes become U+FFFD. */
export async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  { encoding, other }: Decoding
): AsyncGenerator<string> {
  if (other !== undefined) yield* decodedByLine(pieces, other)
  else if (encoding.startsWith('utf')) yield* decodedBy(new TextDecoder(encoding), pieces)
  else for await (const piece of pieces) yield iconv.decode(Buffer.from(piece), encoding)
}

async function* decodedBy(decoder: TextDecoder, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Decodes each line as UTF-8 if it is valid, whatever the other lines are. */
async function* decodedByLine(pieces: AsyncIterable<Uint8Array>, other: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let isStart = true
  for await (const { bytes, line, isLast } of linesOf(pieces)) {
    const text = isUtf8(bytes)
      ? decoder.decode(bytes)
      : [...eachLine(bytes, line)].map(({ bytes: one, isEnd }) =>
          isUtf8(one) || (isLast && isEnd && isCutUtf8(one))
            ? decoder.decode(one)
            : iconv.decode(Buffer.from(one), other)
        ).join('')
    yield isStart ? text.replace(/^\uFEFF/, '') : text
    isStart = false
  }
}

/** Pieces small enough that requests are answered between two of them. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE)
    await new Promise(resolve => setImmediate(resolve))
  }
}
