import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

export type Texts = { [key: string]: string | Texts }

/**
 * The texts of a folder such as `i18n/staff` in one language; empty if there is no such file. `T`: its shape, if a test
 * uses certain keys.
 */
export function textsOf<T = Texts>(folder: string, locale: string): T {
  const file = join(root, folder, `${locale}.json`)
  return (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as T
}
