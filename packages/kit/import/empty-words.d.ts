/** By language, and `any`: see `isEmptyWord`. */
export const EMPTY_WORDS: Readonly<Record<'any' | 'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'ar', readonly string[]>>
/** `-`, `--`, `?`: no letter and no digit. */
export function isEmptyMark(text: string): boolean
/** The same, and `n/a`, `sin correo`, `keine` …: nobody's address, number or date. */
export function isEmptyWord(text: string): boolean
