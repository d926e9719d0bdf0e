import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { isWithdrawalSealed } from '../log/withdrawal-seal.ts'
import { compareWithBackup, type Fault } from './fault.ts'
import { readable } from '../log/log-chain.ts'

/** The row's withdrawal must match the log's. A broken log is not compared. */
export function verifyWithdrawal(ctx: Ctx, { budget, rows }: Proof, facts: LogFacts | null): Fault[] {
  if (!facts) return []
  const logged = rows.find(({ action, success }) => success && action === 'withdrawn')
  const isReason
    = !logged || budget.erased_at !== null || readable(logged.detail).reason === budget.withdrawal_reason
  const isLogged
    = budget.withdrawn_at === null
      ? facts.withdrawn === undefined
      : facts.withdrawn !== undefined && isWithdrawalSealed(ctx.secrets, budget, facts.withdrawn)
  if (isReason && isLogged) return []
  return [{
    code: 'withdrawal_changed',
    message: 'Its withdrawal does not match its access log.',
    fix: compareWithBackup('the budget')
  }]
}
