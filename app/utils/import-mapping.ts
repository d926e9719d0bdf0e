/** Field → header of the file, or several. */
type Mapping = Readonly<Record<string, string | string[]>>
const listOf = (headers: string | string[]) => Array.isArray(headers) ? headers : [headers]

/** What a column of the file is, if anything. */
export const fieldOf = (mapping: Mapping, column: string): string | null =>
  Object.keys(mapping).find(field => listOf(mapping[field]!).includes(column)) ?? null

/** The other columns of a column's field, in the order in which they are used. */
export function columnsOf(mapping: Mapping, field: string): string[] {
  return field in mapping ? listOf(mapping[field]!) : []
}

/**
 * A column is one field, and a field one column: the last choice holds. A field of `several` keeps the columns that it
 * has, in the file's order. Null leaves the column out.
 */
export function chooseField(
  mapping: Mapping,
  column: string,
  field: string | null,
  { several = [], columns = [] }: { several?: readonly string[], columns?: readonly string[] } = {}
): Record<string, string | string[]> {
  const others = Object.entries(mapping).flatMap(([name, headers]) => {
    const kept = name === field ? [] : listOf(headers).filter(header => header !== column)
    return kept.length === 0 ? [] : [[name, kept.length === 1 ? kept[0]! : kept] as const]
  })
  if (field === null) return Object.fromEntries(others)
  const before = several.includes(field) ? columnsOf(mapping, field) : []
  const all = [...new Set([...before, column])].sort((one, other) => columns.indexOf(one) - columns.indexOf(other))
  return Object.fromEntries([...others, [field, all.length === 1 ? all[0]! : all]])
}

/**
 * Fields that no column is chosen for. A text in any language is one: `name_es` is a `name`. `covering`: field → those
 * that it has in it.
 */
export function missingFields(
  mapping: Mapping,
  needed: readonly string[],
  covering: Readonly<Record<string, readonly string[]>> = {}
): string[] {
  const there = new Set(Object.keys(mapping).flatMap(field =>
    [field, field.replace(/_\w\w$/, ''), ...covering[field] ?? []]))
  return needed.filter(field => !there.has(field))
}
