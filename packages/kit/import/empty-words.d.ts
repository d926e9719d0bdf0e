/** Words by language, and those of `any` language; see `isEmptyWord`. */
export const EMPTY_WORDS: Readonly<Record<'any' | 'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'ar', readonly string[]>>
/** True for `-`, `--`, `?` and any text without letters and digits. */
export function isEmptyMark(text: string): boolean
/** True for the same and for `n/a`, `sin correo`, `keine` …, which stand for a missing value. */
export function isEmptyWord(text: string): boolean
