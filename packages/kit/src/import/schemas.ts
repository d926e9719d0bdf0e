import * as z from 'zod'
import { singleLine } from '../text.ts'
import type { ImportOptions as Options } from './kinds.ts'
import type {
  ImportCounts, ImportOptionsChange as OptionsChange, ImportView, SentImportMapping
} from './views.ts'

/** Largest file, in bytes. */
export const IMPORT_BYTES = 20_000_000

/** Encodings that a file can be read with, as the API names them. */
export const IMPORT_ENCODINGS = [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254',
  'windows-1256', 'windows-1257', 'iso-8859-1', 'iso-8859-2', 'iso-8859-6', 'iso-8859-15', 'macintosh', 'cp437', 'cp850',
  'cp852'
] as const

/** A schema of an object that shows the schemas of its members. */
type Shaped<T> = z.ZodType<T> & { shape: Record<keyof Options, z.ZodType> }

const MAX_LINES = 1_000_000
const ImportOnWrong = z.record(z.string().max(100).check(singleLine), z.literal('leave_row_out'))
/** How to read a file. All members are optional. */
export const ImportOptions: Shaped<Options> = z.strictObject({
  encoding: z.enum(IMPORT_ENCODINGS).optional(),
  header_line: z.int().min(0).max(MAX_LINES).optional(),
  date_order: z.enum(['dmy', 'mdy']).optional(),
  name_order: z.enum(['last_first', 'first_last']).optional(),
  system: z.string().regex(/^[a-z0-9-]{1,30}$/).optional(),
  on_wrong: ImportOnWrong.optional()
})
export type ImportOptions = Options
/** The same, with null to reset an option. */
export const ImportOptionsChange = z.strictObject(
  Object.fromEntries(Object.entries(ImportOptions.shape).map(([name, schema]) => [name, schema.nullable()]))
) as unknown as Shaped<OptionsChange>
export type ImportOptionsChange = OptionsChange

const Counts = { new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() }
const WrongRow = z.object({ line: z.int(), column: z.string(), message: z.string() })

const Remark = z.object({ ...WrongRow.shape, value: z.string() })
const Remarks = z.object({ total: z.int(), first: z.array(Remark) })
const Rename = z.object({ line: z.int(), from: z.string(), to: z.string() })
const Renamed = z.object({ total: z.int(), first: z.array(Rename) })

const Header = z.string().max(500)
const MAX_COLUMNS = 10
/** Field → one or more headers of the file; and `on_wrong`. */
export const ImportMapping: z.ZodType<SentImportMapping> = z
  .record(
    z.string().max(100).check(singleLine),
    z.union([Header, z.array(Header).min(1).max(MAX_COLUMNS), ImportOnWrong])
  )
  .refine(
    mapping => Object.entries(mapping).every(([field, value]) => (field === 'on_wrong') === isOnWrong(value)),
    'Must name a header of the file, or several, for each field.'
  )
const isOnWrong = (value: unknown) => typeof value === 'object' && !Array.isArray(value)

/** An import of any kind, as the API returns it. */
export const Import: z.ZodType<ImportView> = z.object({
  id: z.uuid(),
  file_name: z.string(),
  columns: z.array(z.string()),
  mapping: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  options: ImportOptions,
  form: z.object({
    encoding: z.enum(IMPORT_ENCODINGS),
    other: z.enum(IMPORT_ENCODINGS).nullable(),
    other_lines: z.array(z.int()),
    header_line: z.int(),
    passed_over: z.array(z.int()),
    samples: z.array(z.string()),
    first_lines: z.array(z.object({ line: z.int(), text: z.string() }))
  }),
  preview: z.array(z.array(z.string())),
  fields: z.array(z.string()),
  several: z.record(z.string(), z.enum(['first', 'join'])),
  optional: z.array(z.string()),
  state: z.enum(['uploaded', 'checked', 'running', 'done', 'failed']),
  progress: z.object({ done: z.int(), total: z.int() }),
  checks_before: z.int().nullable(),
  counts: z.object(Counts).nullable(),
  errors: z.array(WrongRow),
  lost: Remarks,
  notes: Remarks,
  renamed: Renamed,
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable()
})
export type Import = ImportView
/** The response of `POST …/{id}/check`: counts of rows, the first wrong rows, and remarks on others. */
export const ImportCheck: z.ZodType<
  ImportCounts & Pick<ImportView, 'errors' | 'lost' | 'notes' | 'renamed'> & Pick<ImportView['form'], 'passed_over'>
> = z.object({
  ...Counts,
  errors: z.array(WrongRow),
  lost: Remarks,
  notes: Remarks,
  renamed: Renamed,
  passed_over: z.array(z.int())
})
