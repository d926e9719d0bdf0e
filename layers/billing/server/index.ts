import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'
import { settings } from './settings.ts'
import { checkAdvancesOf } from './services/advances/check-advances.ts'
import { checkHeld } from './services/held/check-held.ts'
import { draftInvoice } from './services/draft-invoice.ts'
import { erasePatient } from './services/erase-patient.ts'
import { exportPatient } from './services/export-patient.ts'
import { findOrphaned } from './services/find-orphaned.ts'
import { findUnbilled } from './services/find-unbilled.ts'
import { handleWithdrawal } from './services/handle-withdrawal.ts'
import { steps } from './steps.ts'

export default defineModule({
  problems,
  settings,
  steps,
  on: {
    'budget.accepted': ({ payload }, ctx) => draftInvoice(ctx, payload),
    'budget.withdrawn': ({ payload }, ctx) => handleWithdrawal(ctx, payload),
    'budget.cancelled': ({ payload }, ctx) => checkAdvancesOf(ctx, payload)
  },
  hooks: { export: exportPatient, erase: erasePatient },
  exports: createExports,
  doctor: async ctx => [...await checkHeld(ctx), ...await findUnbilled(ctx), ...await findOrphaned(ctx)],
  demo: fillDemo
})
