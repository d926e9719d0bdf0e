/** Several whole lines, with the number of the first. */
export interface Block { bytes: Uint8Array, line: number, isLast: boolean }

/** A longer line is passed on in parts. No row may be that long. */
const MAX_LINE_BYTES = 1_000_000

/** Splits pieces at line ends (CR, LF or both), so that each block can be decoded by itself. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let [rest, line]: [Uint8Array, number] = [new Uint8Array(), 1]
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const end = endOfLines(bytes)
    if (end > 0) yield { bytes: bytes.subarray(0, end), line, isLast: false }
    line += countBreaks(bytes.subarray(0, end))
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) yield { bytes: rest, line, isLast: true }
}

/** The position after the last complete line break. A CR at the end may be the first half of one. */
function endOfLines(bytes: Uint8Array): number {
  const whole = bytes.at(-1) === 0x0D ? bytes.subarray(0, -1) : bytes
  const end = Math.max(whole.lastIndexOf(0x0A), whole.lastIndexOf(0x0D)) + 1
  return end === 0 && bytes.length > MAX_LINE_BYTES ? startOfLastLetter(bytes) : end
}

/** The position before the last character of UTF-8, which may continue in the next piece. */
function startOfLastLetter(bytes: Uint8Array): number {
  let at = bytes.length - 1
  while (at > 0 && bytes.length - at < 4 && (bytes[at]! & 0xC0) === 0x80) at--
  return at
}

function countBreaks(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x0A || (bytes[at] === 0x0D && bytes[at + 1] !== 0x0A)) count++
  }
  return count
}
