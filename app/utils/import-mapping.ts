/** By field: the header of its column in the file, or several headers. */
type Mapping = Readonly<Record<string, string | string[]>>
const listOf = (headers: string | string[]) => Array.isArray(headers) ? headers : [headers]

/** The field that a column of the file is assigned to, or null. */
export const fieldOf = (mapping: Mapping, column: string): string | null =>
  Object.keys(mapping).find(field => listOf(mapping[field]!).includes(column)) ?? null

/** The columns assigned to a field, in the order in which they are used. */
export function columnsOf(mapping: Mapping, field: string): string[] {
  return field in mapping ? listOf(mapping[field]!) : []
}

/**
 * Assigns a column to a field; null leaves the column out. Each column has at most one field, and the last choice wins.
 * A field of `several` keeps its other columns, in the file's order.
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
 * The needed fields that have no column. A translated column counts for its field: `name_es` for `name`. `covering`
 * lists, by field, the fields that it contains.
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
