import { foldHeader } from '@svc/kit/cells'
import type { FileRow } from './read-rows.ts'

/** How the line below a list begins, in the languages of the product and Italian. */
const WORDS = [
  'total', 'totals', 'totales', 'totaux', 'totais', 'totale', 'subtotal', 'grand total', 'sum', 'suma', 'summe', 'gesamt',
  'gesamtsumme', 'insgesamt', 'somme', 'soma', 'anzahl', 'count', 'records', 'rows', 'registros', 'número de registros',
  'nombre de patients', 'datensätze', 'المجموع', 'الإجمالي', 'اجمالي'
].map(foldHeader)
/** "3 pacientes", "(3 rows affected)". */
const COUNTED = /^\d+ (?:rows?|records?|patients?|pacientes|registros|filas|patienten|datensatze|lignes|linhas|utentes)\b/

/** Rows at the end of a file that count or add up what is above them, and are no records. */
export function findTotals(last: FileRow[], columns: number): FileRow[] {
  const from = last.findIndex((_, at) => last.slice(at).every(row => isTotal(row, columns)))
  return from === -1 ? [] : last.slice(from)
}

function isTotal({ cells }: FileRow, columns: number): boolean {
  const filled = cells.filter(cell => cell.trim() !== '')
  // A treatment may be called so: then its other columns are filled too.
  if (columns < 2 || filled.length > Math.max(1, columns / 2)) return false
  const text = foldHeader(filled[0] ?? '')
  return COUNTED.test(text) || WORDS.some(word => text === word || text.startsWith(`${word} `))
}
