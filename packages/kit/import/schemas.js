import * as z from 'zod'
import { singleLine } from '../text.js'

export const IMPORT_BYTES = 20_000_000

const Counts = { new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() }
const WrongRow = z.object({ line: z.int(), column: z.string(), message: z.string() })

export const ImportMapping = z.record(z.string().max(100).check(singleLine), z.string().max(500))

export const Import = z.object({
  id: z.uuid(),
  file_name: z.string(),
  columns: z.array(z.string()),
  mapping: z.record(z.string(), z.string()),
  preview: z.array(z.array(z.string())),
  fields: z.array(z.string()),
  state: z.enum(['uploaded', 'checked', 'running', 'done', 'failed']),
  progress: z.object({ done: z.int(), total: z.int() }),
  counts: z.object(Counts).nullable(),
  errors: z.array(WrongRow),
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable()
})
export const ImportCheck = z.object({ ...Counts, errors: z.array(WrongRow) })
