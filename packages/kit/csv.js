// What spreadsheets read as the start of a formula, and the apostrophe itself, so that taking one off is exact.
const RISKY = /^[=+\-@\t\r']/
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

export const escapeCell = text => RISKY.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

export const unescapeCell = cell => cell.startsWith('\'') ? cell.slice(1) : cell
