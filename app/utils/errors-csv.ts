const BREAK = '\r\n'
const toCell = (text: string) => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * The server's list of wrong rows, `line,column,message`, with the messages in the language of the page. What stands
 * before a message stays as it is.
 */
export function translateErrors(csv: string, head: readonly string[], texts: ReadonlyMap<string, string>): string {
  const cells = [...texts].map(([sentence, text]) => [`,${toCell(sentence)}`, `,${toCell(text)}`] as const)
  const rows = csv.split(BREAK).slice(1).map((row) => {
    const found = cells.find(([sentence]) => row.endsWith(sentence))
    return found ? row.slice(0, -found[0].length) + found[1] : row
  })
  return `\uFEFF${[head.map(toCell).join(','), ...rows].join(BREAK)}`
}
