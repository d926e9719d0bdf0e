/** Columns as wide as their widest cell, two spaces between them, no space at the end of a line. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...lines.map(line => line[at]!.length)))
  return lines.map(line => line.map((cell, at) => cell.padEnd(widths[at]!)).join('  ').trimEnd()).join('\n')
}
