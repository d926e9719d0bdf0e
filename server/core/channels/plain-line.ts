/** Characters that are kept. */
const MAX_LENGTH = 500

/** Embeddings, overrides and isolates (UAX 9). */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g

/** A provider's text as a line that the database can store and a page can show. */
export const toPlainLine = (text: string): string =>
  [...text.toWellFormed().replace(DIRECTION, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, MAX_LENGTH).join('')
