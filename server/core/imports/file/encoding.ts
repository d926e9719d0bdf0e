import type { ImportEncoding } from '@svc/kit'
import type { Source } from './read-rows.ts'
import { unreadable } from './unreadable.ts'

export type Encoding = ImportEncoding

const START = 4096

/** By its mark, by the zeros of UTF-16, by being UTF-8; else Windows-1252. Throws `file_unreadable`. */
export async function findEncoding(source: Source, chosen: Encoding | undefined): Promise<Encoding> {
  const start = await startOf(source)
  if (start.length === 0) throw unreadable('empty', 'The file is empty.')
  if (chosen !== undefined) return chosen
  const [first, second, third] = start
  if (first === 0xFF && second === 0xFE) return await mustDecode(source, 'utf-16le')
  if (first === 0xFE && second === 0xFF) return await mustDecode(source, 'utf-16be')
  if (first === 0x50 && second === 0x4B)
    throw unreadable('not_csv', 'This is a workbook or an archive. Save the sheet as CSV, then upload that file.')
  const zeros = zerosOf(start)
  if (zeros.odd > zeros.all / 4 && zeros.even === 0) return await mustDecode(source, 'utf-16le')
  if (zeros.even > zeros.all / 4 && zeros.odd === 0) return await mustDecode(source, 'utf-16be')
  if (await hasZero(source))
    throw unreadable('not_csv', 'This isn’t a text file. Save the sheet as CSV, then upload that file.')
  if (first === 0xEF && second === 0xBB && third === 0xBF) return await mustDecode(source, 'utf-8')
  return await isIn(source, 'utf-8') ? 'utf-8' : 'windows-1252'
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

/** Latin letters are every other byte of it. */
function zerosOf(start: Uint8Array) {
  const count = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length
  return { even: count(0), odd: count(1), all: start.length / 2 }
}

async function hasZero(source: Source): Promise<boolean> {
  for await (const piece of source()) if (piece.includes(0)) return true
  return false
}

async function mustDecode(source: Source, encoding: Encoding): Promise<Encoding> {
  if (!await isIn(source, encoding))
    throw unreadable('not_csv', `The file begins as ${encoding.toUpperCase()} text, but isn’t.`)
  return encoding
}

async function isIn(source: Source, encoding: Encoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const piece of source()) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

const PIECE = 65_536

/** Piece by piece, without the mark. */
export async function* decoded(pieces: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Small enough that requests are answered between two of them. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE)
    await new Promise(resolve => setImmediate(resolve))
  }
}
