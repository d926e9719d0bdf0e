import { defineModule } from '@svc/kit'
import { dropEndedTokens } from './db/requests.ts'
import { fillDemo } from './demo/index.ts'
import { problems } from './problems.ts'
import { checkByJob } from './services/attempts/check-attempt.ts'
import { recordAdvance } from './services/attempts/record-advance.ts'
import { reconcile } from './services/attempts/reconcile.ts'
import { addClause } from './services/deposits/add-clause.ts'
import { requestDeposit } from './services/deposits/request-deposit.ts'
import { mailLink } from './services/messages/mail-link.ts'
import { showDeposit } from './services/patient/show-deposit.ts'
import { erasePatient, exportPatient } from './services/privacy.ts'
import { checkRefund } from './services/refunds/process-refund.ts'
import { returnAdvance } from './services/refunds/return-advance.ts'
import { endDeposit } from './services/requests/cancel-request.ts'
import { findFaults, measure } from './services/watch.ts'
import { settings } from './settings.ts'

export default defineModule({
  problems,
  settings,
  clauses: { 'budget.content': addClause },
  on: {
    'budget.accepted': ({ payload }, ctx) => requestDeposit(ctx, payload),
    'budget.withdrawn': ({ payload }, ctx) => endDeposit(ctx, payload, 'withdrawn'),
    'budget.cancelled': ({ payload }, ctx) => endDeposit(ctx, payload, 'budget_cancelled')
  },
  public_sections: { 'budget.patient': showDeposit },
  jobs: {
    reconcile: { cron: '* * * * *', run: (_payload, ctx) => reconcile(ctx) },
    drop_ended_tokens: { cron: '17 4 * * *', run: (_payload, ctx) => dropEndedTokens(ctx.db) },
    check_attempt: { run: (payload, ctx) => checkByJob(ctx, payload) },
    check_refund: { run: (payload, ctx) => checkRefund(ctx, payload) },
    record_advance: { run: (payload, ctx) => recordAdvance(ctx, payload) },
    return_advance: { run: (payload, ctx) => returnAdvance(ctx, payload) },
    mail_link: { run: (payload, ctx) => mailLink(ctx, payload) }
  },
  hooks: { export: exportPatient, erase: erasePatient },
  doctor: findFaults,
  metrics: measure,
  demo: fillDemo
})
