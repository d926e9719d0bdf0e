import * as z from 'zod'

/** The server refuses a larger file. */
export const IMPORT_BYTES = 20_000_000

const Counts = z.object({ new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() })
const WrongRow = z.object({ line: z.int(), column: z.string(), message: z.string() })

/** As the screens read an import of any kind. */
export const Import = z.object({
  id: z.uuid(),
  file_name: z.string(),
  columns: z.array(z.string()),
  /** Field → header of the file. */
  mapping: z.record(z.string(), z.string()),
  preview: z.array(z.array(z.string())),
  fields: z.array(z.string()),
  state: z.enum(['uploaded', 'checked', 'running', 'done', 'failed']),
  progress: z.object({ done: z.int(), total: z.int() }),
  counts: Counts.nullable(),
  errors: z.array(WrongRow),
  /** Of a failed one: code of a problem. */
  reason: z.string().nullable()
})
export type Import = z.infer<typeof Import>
