/** Downloads a Blob as a file. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser reads the Blob later
}

/** The URL of a file that has a list's filters and order. Undefined and empty values are left out. */
export function exportUrl(path: string, values: Record<string, string | readonly string[] | undefined> = {}): string {
  const query = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      [value ?? []].flat().filter(one => one !== '').map(one => [name, one])
    )
  )
  return query.size > 0 ? `${path}?${query}` : path
}
