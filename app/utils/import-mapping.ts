/** Field → header of the file. */
type Mapping = Readonly<Record<string, string>>

/** What a column of the file is, if anything. */
export const fieldOf = (mapping: Mapping, column: string): string | null =>
  Object.keys(mapping).find(field => mapping[field] === column) ?? null

/** A column is one field and a field one column: the last choice holds. Null leaves the column out. */
export function chooseField(mapping: Mapping, column: string, field: string | null): Record<string, string> {
  const others = Object.entries(mapping).filter(([name, header]) => name !== field && header !== column)
  return Object.fromEntries(field === null ? others : [...others, [field, column]])
}

/** Fields that no column is chosen for. A text in any language is one: `name_es` is a `name`. */
export function missingFields(mapping: Mapping, needed: readonly string[]): string[] {
  const there = new Set(Object.keys(mapping).flatMap(field => [field, field.replace(/_\w\w$/, '')]))
  return needed.filter(field => !there.has(field))
}
