const BREAK = '\r\n'
const toCell = (text: string) => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * Translates the messages and outcomes of the server's list, `line,column,value,message,outcome`. The columns before
 * them stay as they are.
 */
export function translateErrors(csv: string, head: readonly string[], texts: ReadonlyMap<string, string>): string {
  const cells = [...texts].map(([sentence, text]) => [`,${toCell(sentence)}`, `,${toCell(text)}`] as const)
  const translateEnd = (row: string): [before: string, cell: string] | null => {
    const found = cells.find(([sentence]) => row.endsWith(sentence))
    return found ? [row.slice(0, -found[0].length), found[1]] : null
  }
  const rows = csv.split(BREAK).slice(1).map((row) => {
    const outcome = translateEnd(row)
    if (!outcome) return row
    const message = translateEnd(outcome[0])
    return message ? message.join('') + outcome[1] : outcome.join('')
  })
  return `\uFEFF${[head.map(toCell).join(','), ...rows].join(BREAK)}`
}
