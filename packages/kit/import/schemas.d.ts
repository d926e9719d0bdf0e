import type {
  ImportCounts, ImportOptions as Options, ImportOptionsChange as OptionsChange, ImportView, SentImportMapping
} from '../index.d.ts'
import type * as z from 'zod'

/** Largest file, in bytes. */
export const IMPORT_BYTES: number
/** Encodings that a file can be read with, as the API names them. */
export const IMPORT_ENCODINGS: readonly [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254',
  'windows-1256', 'windows-1257', 'iso-8859-1', 'iso-8859-2', 'iso-8859-6', 'iso-8859-15', 'macintosh', 'cp437', 'cp850',
  'cp852'
]
/** An import of any kind, as the API answers it. */
export const Import: z.ZodType<ImportView>
export type Import = ImportView
/** What `POST …/{id}/check` answers: counts of rows, the first wrong ones, and what is said of others. */
export const ImportCheck: z.ZodType<
  ImportCounts & Pick<ImportView, 'errors' | 'lost' | 'notes' | 'renamed'> & Pick<ImportView['form'], 'passed_over'>
>
/** Field → header of the file, or several; and `on_wrong`. */
export const ImportMapping: z.ZodType<SentImportMapping>
/** How a file is to be read; all of it is optional. */
export const ImportOptions: z.ZodType<Options> & { shape: Record<keyof Options, z.ZodType> }
export type ImportOptions = Options
/** The same, with null for an option that is taken back. */
export const ImportOptionsChange: z.ZodType<OptionsChange> & { shape: Record<keyof Options, z.ZodType> }
export type ImportOptionsChange = OptionsChange
