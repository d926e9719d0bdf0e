import type { BenchInstance } from '../support/instance.ts'
import type { Figure } from '../support/measure.ts'
import { accept } from './accept.ts'
import { budgetList } from './budget-list.ts'
import { drawing } from './drawing.ts'
import { heap } from './heap.ts'
import { importPatients } from './import.ts'
import { modulesList } from './modules-list.ts'
import { patientPage } from './patient-page.ts'
import { patientView } from './patient-view.ts'
import { priceSelection } from './price-selection.ts'
import { signedDownload } from './signed-download.ts'
import { signedPdf } from './signed-pdf.ts'
import { startUp } from './start-up.ts'
import { verify } from './verify.ts'
import { verifyBudgets } from './verify-budgets.ts'

export type Row = (instance: BenchInstance, say: (line: string) => void) => Promise<Figure[]>

/** The rows of the table, in its order. */
export const rows: Record<string, Row> = {
  'patient-view': patientView,
  'price-selection': priceSelection,
  'verify': verify,
  'accept': accept,
  'signed-pdf': signedPdf,
  'drawing': drawing,
  'signed-download': signedDownload,
  'budget-list': budgetList,
  'import': importPatients,
  'verify-budgets': verifyBudgets,
  'start-up': startUp,
  'modules-list': modulesList,
  'patient-page': patientPage,
  'heap': heap
}
