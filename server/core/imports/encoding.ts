import { unreadable } from './unreadable.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** By its mark, by the zeros of UTF-16, by being UTF-8; else Windows-1252. Throws `file_unreadable`. */
export function findEncoding(bytes: Uint8Array): Encoding {
  if (bytes.length === 0) throw unreadable('empty', 'The file is empty.')
  const [first, second, third] = bytes
  if (first === 0xFF && second === 0xFE) return mustDecode(bytes, 'utf-16le')
  if (first === 0xFE && second === 0xFF) return mustDecode(bytes, 'utf-16be')
  if (first === 0x50 && second === 0x4B)
    throw unreadable('not_csv', 'This is a workbook or an archive. Save the sheet as CSV, then upload that file.')
  const zeros = zerosOf(bytes)
  if (zeros.odd > zeros.all / 4 && zeros.even === 0) return mustDecode(bytes, 'utf-16le')
  if (zeros.even > zeros.all / 4 && zeros.odd === 0) return mustDecode(bytes, 'utf-16be')
  if (bytes.includes(0))
    throw unreadable('not_csv', 'This isn’t a text file. Save the sheet as CSV, then upload that file.')
  if (first === 0xEF && second === 0xBB && third === 0xBF) return mustDecode(bytes, 'utf-8')
  return isIn(bytes, 'utf-8') ? 'utf-8' : 'windows-1252'
}

/** Latin letters are every other byte of it. */
function zerosOf(bytes: Uint8Array) {
  const start = bytes.subarray(0, 4096)
  const count = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length
  return { even: count(0), odd: count(1), all: start.length / 2 }
}

function mustDecode(bytes: Uint8Array, encoding: Encoding): Encoding {
  if (!isIn(bytes, encoding))
    throw unreadable('not_csv', `The file begins as ${encoding.toUpperCase()} text, but isn’t.`)
  return encoding
}

const PIECE = 65_536

function isIn(bytes: Uint8Array, encoding: Encoding): boolean {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += PIECE) decoder.decode(bytes.subarray(at, at + PIECE), { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

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
