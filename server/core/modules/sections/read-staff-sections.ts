import type { CollectedStaffSection } from '@svc/kit'
import { singleLine } from '@svc/kit/text'
import * as z from 'zod'
import { common, line, listOf, readList, toCommon, type OnFault, type ReadList } from './read-list.ts'

const MAX_COLUMNS = 8
const MAX_ROWS = 50

const label = line(200)
const columnSchema = z.union([label, z.object({ label, end: z.boolean().nullish() })])
const columnsSchema = listOf(columnSchema, MAX_COLUMNS).refine(
  ({ length }) => length > 0 && length <= MAX_COLUMNS,
  `Must have 1 to ${MAX_COLUMNS} columns.`
)
const rowSchema = listOf(z.string().trim().max(200).check(singleLine), MAX_COLUMNS)
const rowsSchema = z
  .custom<unknown[]>(Array.isArray, 'Must be a list.')
  .transform(rows => ({ first: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) }))
  .pipe(z.object({ first: z.array(rowSchema), more: z.int() }))
const tableSchema = z
  .object({ columns: columnsSchema, rows: rowsSchema })
  .refine(({ columns, rows }) => rows.first.every(row => row.length === columns.length), {
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

/** Too many rows break no rule: the page shows how many are missing. They are not read. */
const toTable = ({ columns, rows }: z.infer<typeof tableSchema>): Read['table'] => ({
  columns: columns.map(column => typeof column === 'string'
    ? { label: column, end: false }
    : { label: column.label, end: column.end ?? false }),
  rows: rows.first,
  more_rows: rows.more
})
