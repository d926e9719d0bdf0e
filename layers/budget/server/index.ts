import { defineModule } from '@svc/kit'
import type { BudgetKey } from './db/budgets.ts'
import { foldCounts } from './db/reports/counts.ts'
import { removeOldSessions } from './db/sessions.ts'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { pageAccess } from './http/page-access.ts'
import { problems } from './problems.ts'
import { settings } from './settings.ts'
import { steps } from './steps.ts'
import { beforeClinicChange } from './services/draft/before-clinic-change.ts'
import { giveOwnClauses } from './services/budget/give-own-clauses.ts'
import { DELIVER_LINK, deliverLink, NOTE_DELIVERY, noteDelivery, type DeliverLink } from './services/link/deliver-link.ts'
import { countForMetrics } from './services/staff-view/count-for-metrics.ts'
import { erasePatient } from './services/privacy/erase-patient.ts'
import { examine } from './services/proof/examine.ts'
import { expireBudgets } from './services/draft/expire-budgets.ts'
import { exportPatient } from './services/privacy/export-patient.ts'
import { NOTIFY_DECISION, notifyDecision } from './services/decision/notify-decision.ts'
import { NOTIFY_ANSWER, notifyAnswer } from './services/messages/notify-answer.ts'
import { NOTIFY_QUESTION, notifyQuestion, type MessageNotice } from './services/messages/notify-question.ts'
import { NOTIFY_LOCK, notifyLock, type LockNotice } from './services/link/notify-lock.ts'
import { sealDocument } from './services/document/seal-document.ts'
import { sealTotal } from './services/log/number-seal.ts'
import { holdEvidence } from './services/proof/evidence/hold-evidence.ts'
import { postUpgrade } from './services/proof/post-upgrade.ts'
import { DELIVER_CODE, deliverCode, NOTE_CODE, noteCode, type DeliverCode } from './services/link/sent-code/deliver-code.ts'
import { sendReminders } from './services/link/send-reminders.ts'
import { trimLogs } from './services/log/trim-logs.ts'
import { verifyBudget } from './services/proof/verify-budget.ts'
import { verifyCommand } from './services/proof/verify-command.ts'

export default defineModule({
  problems,
  settings,
  steps,
  exports: createExports,
  accesses: { link: pageAccess },
  doctor: examine,
  hooks: {
    install: sealTotal,
    post_upgrade: postUpgrade,
    before_clinic_change: beforeClinicChange,
    export: exportPatient,
    erase: (ctx, person, { dry_run }) => erasePatient(ctx, person, { dry_run, holdEvidence })
  },
  clauses: { 'budget.content': giveOwnClauses },
  commands: { 'budgets verify': verifyCommand },
  metrics: countForMetrics,
  jobs: {
    'expire': { cron: '* * * * *', run: (_payload, ctx) => expireBudgets(ctx) },
    [DELIVER_LINK]: { run: (payload: DeliverLink, ctx) => deliverLink(ctx, payload) },
    [NOTE_DELIVERY]: { run: (payload: Parameters<typeof noteDelivery>[1], ctx) => noteDelivery(ctx, payload) },
    [DELIVER_CODE]: { run: (payload: DeliverCode, ctx) => deliverCode(ctx, payload) },
    [NOTE_CODE]: { run: (payload: Parameters<typeof noteCode>[1], ctx) => noteCode(ctx, payload) },
    [NOTIFY_DECISION]: { run: (payload: BudgetKey, ctx) => notifyDecision(ctx, payload) },
    [NOTIFY_LOCK]: { run: (payload: LockNotice, ctx) => notifyLock(ctx, payload) },
    [NOTIFY_QUESTION]: { run: (payload: MessageNotice, ctx) => notifyQuestion(ctx, payload) },
    [NOTIFY_ANSWER]: { run: (payload: MessageNotice, ctx) => notifyAnswer(ctx, payload) },
    'send-reminders': { cron: '*/5 * * * *', run: (_payload, ctx) => sendReminders(ctx) },
    'seal-document': {
      run: (payload: { budget_id: string }, ctx, info) => sealDocument(ctx, payload, { ...info, verify: verifyBudget })
    },
    'remove-old-sessions': { cron: '23 3 * * *', run: (_payload, ctx) => removeOldSessions(ctx.db) },
    'trim-logs': { cron: '41 3 * * *', run: (_payload, ctx) => trimLogs(ctx) },
    'fold-counts': { cron: '*/10 * * * *', run: (_payload, ctx) => foldCounts(ctx.db) }
  },
  demo: fillDemo
})
