// What spreadsheets read as the start of a formula, and the apostrophe itself, so that taking one off is exact.
const RISKY = /^[=+\-@\t\r']/
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

export const escapeCell = text => RISKY.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

export function* idBatches(packed, size = 500) {
  const bytes = size * 16
  for (let at = 0; at < packed.length; at += bytes) {
    const hex = Buffer.from(packed.subarray(at, at + bytes)).toString('hex')
    yield hex.match(/.{32}/g).map(id => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  }
}

export const unescapeCell = cell => cell.replace(/^'(?=[=+\-@\t\r'])/, '')
