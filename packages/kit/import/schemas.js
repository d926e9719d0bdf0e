import * as z from 'zod'
import { singleLine } from '../text.js'

export const IMPORT_BYTES = 20_000_000

/** The names that the API uses. */
export const IMPORT_ENCODINGS = [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254',
  'windows-1256', 'windows-1257', 'iso-8859-1', 'iso-8859-2', 'iso-8859-6', 'iso-8859-15', 'macintosh', 'cp437', 'cp850',
  'cp852'
]

const MOST_LINES = 1_000_000
const ImportOnWrong = z.record(z.string().max(100).check(singleLine), z.literal('leave_row_out'))
export const ImportOptions = z.strictObject({
  encoding: z.enum(IMPORT_ENCODINGS).optional(),
  header_line: z.int().min(0).max(MOST_LINES).optional(),
  date_order: z.enum(['dmy', 'mdy']).optional(),
  name_order: z.enum(['last_first', 'first_last']).optional(),
  system: z.string().regex(/^[a-z0-9-]{1,30}$/).optional(),
  on_wrong: ImportOnWrong.optional()
})
/** Null resets an option. */
export const ImportOptionsChange = z.strictObject(
  Object.fromEntries(Object.entries(ImportOptions.shape).map(([name, schema]) => [name, schema.nullable()])))

const Counts = { new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() }
const WrongRow = z.object({ line: z.int(), column: z.string(), message: z.string() })

const Remark = z.object({ ...WrongRow.shape, value: z.string() })
const Remarks = z.object({ total: z.int(), first: z.array(Remark) })
const Rename = z.object({ line: z.int(), from: z.string(), to: z.string() })
const Renamed = z.object({ total: z.int(), first: z.array(Rename) })

const Header = z.string().max(500)
const MOST_COLUMNS = 10
/** Field → header or headers; `on_wrong` may be among the keys. */
export const ImportMapping = z
  .record(
    z.string().max(100).check(singleLine),
    z.union([Header, z.array(Header).min(1).max(MOST_COLUMNS), ImportOnWrong])
  )
  .refine(
    mapping => Object.entries(mapping).every(([field, value]) => (field === 'on_wrong') === isOnWrong(value)),
    'Must name a header of the file, or several, for each field.'
  )
const isOnWrong = value => typeof value === 'object' && !Array.isArray(value)

export const Import = z.object({
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
export const ImportCheck = z.object({
  ...Counts,
  errors: z.array(WrongRow),
  lost: Remarks,
  notes: Remarks,
  renamed: Renamed,
  passed_over: z.array(z.int())
})
