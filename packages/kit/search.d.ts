/**
 * "Núñez-O’BRIEN" → "nunez obrien", as people type words when they search. Words are separated by one space.
 */
export function fold(text: string): string
/** The text to store for searching and sorting: folded, and cut to the maximum of a PostgreSQL index. */
export function searchable(text: string): string
/**
 * For `to_tsquery('simple', …)`: each word of the search, at most eight, as a prefix: `'fer':* & 'desc':*`.
 * Null for a search without words.
 */
export function prefixQuery(question: string): string | null
/** The same for words that are already folded. */
export function prefixQueryOf(words: string[]): string | null
