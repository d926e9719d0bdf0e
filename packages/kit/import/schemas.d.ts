import type { ImportCounts, ImportView } from '../index.d.ts'
import type * as z from 'zod'

/** Largest file, in bytes. */
export const IMPORT_BYTES: number
/** An import of any kind, as the API answers it. */
export const Import: z.ZodType<ImportView>
export type Import = ImportView
/** What `POST …/{id}/check` answers: counts of rows, and the first wrong ones. */
export const ImportCheck: z.ZodType<ImportCounts & Pick<ImportView, 'errors'>>
/** Field → header of the file. */
export const ImportMapping: z.ZodType<Record<string, string>>
