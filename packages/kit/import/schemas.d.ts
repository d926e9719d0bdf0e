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
/** An import of any kind, as the API returns it. */
export const Import: z.ZodType<ImportView>
export type Import = ImportView
/** The response of `POST …/{id}/check`: counts of rows, the first wrong rows, and remarks on others. */
export const ImportCheck: z.ZodType<
  ImportCounts & Pick<ImportView, 'errors' | 'lost' | 'notes' | 'renamed'> & Pick<ImportView['form'], 'passed_over'>
>
/** Field → one or more headers of the file; and `on_wrong`. */
export const ImportMapping: z.ZodType<SentImportMapping>
/** How to read a file. All members are optional. */
export const ImportOptions: z.ZodType<Options> & { shape: Record<keyof Options, z.ZodType> }
export type ImportOptions = Options
/** The same, with null to reset an option. */
export const ImportOptionsChange: z.ZodType<OptionsChange> & { shape: Record<keyof Options, z.ZodType> }
export type ImportOptionsChange = OptionsChange
