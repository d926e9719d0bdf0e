import type { CollectedStaffSection } from '@svc/kit'
import { singleLine } from '@svc/kit/text'
import * as z from 'zod'
import { common, line, readList, toCommon, type OnFault, type ReadList } from './read-list.ts'

const MAX_COLUMNS = 8
const MAX_ROWS = 50

const label = line(200)
const columnSchema = z.union([label, z.object({ label, end: z.boolean().nullish() })])
const tableSchema = z
  .object({
    columns: z.array(columnSchema).min(1).max(MAX_COLUMNS),
    rows: z.array(z.array(z.string().trim().max(200).check(singleLine)))
  })
  .refine(({ columns, rows }) => rows.every(row => row.length === columns.length), {
    path: ['rows'],
    error: 'Each row must have a text for each column.'
  })
const sectionSchema = z.object({ ...common, table: tableSchema.nullish() })

type Read = Omit<CollectedStaffSection, 'module'>

/** Takes what a module returned, and leaves out whatever breaks the rules of `StaffSection`. */
export const readStaffSections = (returned: unknown): ReadList<Read> => readList(returned, sectionSchema, toSection)

function toSection({ table, ...written }: z.infer<typeof sectionSchema>, onFault: OnFault): Read {
  return { ...toCommon(written, onFault), ...table ? { table: toTable(table) } : {} }
}

/** Too many rows break no rule: the page shows how many are missing. */
const toTable = ({ columns, rows }: z.infer<typeof tableSchema>): Read['table'] => ({
  columns: columns.map(column => typeof column === 'string'
    ? { label: column, end: false }
    : { label: column.label, end: column.end ?? false }),
  rows: rows.slice(0, MAX_ROWS),
  more_rows: Math.max(0, rows.length - MAX_ROWS)
})
