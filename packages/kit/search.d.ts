/**
 * "Núñez-O’BRIEN" → "nunez obrien": what people type when they look for something. Words are separated by one space.
 */
export function fold(text: string): string
/** What a module stores to find and sort a record by: folded, and cut to what an index of PostgreSQL takes. */
export function searchable(text: string): string
/**
 * For `to_tsquery('simple', …)`: each word of the question, at most eight, as the beginning of a word:
 * `'fer':* & 'desc':*`. Null for a question without words.
 */
export function prefixQuery(question: string): string | null
/** The same of words that are folded already. */
export function prefixQueryOf(words: string[]): string | null
