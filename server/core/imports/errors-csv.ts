import { escapeCell } from '@svc/kit/csv'
import type { WrongRow } from './process.ts'

/** UTF-8 with its mark, so that spreadsheets read it; RFC 4180. */
export function toErrorsCsv(rows: WrongRow[]): string {
  const lines = rows.map(({ line, column, message }) => [String(line), column, message].map(toCell).join(','))
  return `\uFEFF${['line,column,message', ...lines].join('\r\n')}\r\n`
}

function toCell(text: string): string {
  const cell = escapeCell(text)
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
