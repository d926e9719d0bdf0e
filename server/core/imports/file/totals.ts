import { foldHeader } from '@svc/kit/cells'
import type { FileRow } from './read-rows.ts'

/** The first words of the line below a list, in the product's languages and Italian. */
const WORDS = [
  'total', 'totals', 'totales', 'totaux', 'totais', 'totale', 'subtotal', 'grand total', 'sum', 'suma', 'summe', 'gesamt',
  'gesamtsumme', 'insgesamt', 'somme', 'soma', 'anzahl', 'count', 'records', 'rows', 'registros', 'número de registros',
  'nombre de patients', 'datensätze', 'المجموع', 'الإجمالي', 'اجمالي'
].map(foldHeader)
/** Texts such as "3 pacientes" or "(3 rows affected)". */
const COUNTED = /^\d+ (?:rows?|records?|patients?|pacientes|registros|filas|patienten|datensatze|lignes|linhas|utentes)\b/

/** Rows at the end of a file that count or sum the rows above them. */
export function findTotals(last: FileRow[], columns: number): FileRow[] {
  const from = last.findIndex((_, at) => last.slice(at).every(row => isTotal(row, columns)))
  return from === -1 ? [] : last.slice(from)
}

function isTotal({ cells }: FileRow, columns: number): boolean {
  const filled = cells.filter(cell => cell.trim() !== '')
  // A treatment may have such a name, but then its other columns are filled too.
  if (columns < 2 || filled.length > Math.max(1, columns / 2)) return false
  const text = foldHeader(filled[0] ?? '')
  return COUNTED.test(text) || WORDS.some(word => text === word || text.startsWith(`${word} `))
}
