type Found = string | { [key: string]: Found } | null

/**
 * Finds a text by its key. A text can have others below it, whose keys then have a dot: beside `months` there is
 * `months.help`.
 */
export function findText(texts: unknown, key: string): Found {
  if (typeof texts !== 'object' || texts === null) return null
  const members = texts as Record<string, Found>
  if (Object.hasOwn(members, key)) return members[key]!
  for (let dot = key.indexOf('.'); dot !== -1; dot = key.indexOf('.', dot + 1)) {
    const found = findText(members[key.slice(0, dot)], key.slice(dot + 1))
    if (found !== null) return found
  }
  return null
}
