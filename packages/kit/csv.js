// Spreadsheets read these as the start of a formula. The apostrophe is one of them, so that unescaping is exact.
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
