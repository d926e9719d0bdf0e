import type { BudgetRow } from '../../db/budgets.ts'
import type { Macs } from './log-chain.ts'

const WITHDRAWAL = 'budget.withdrawal'

type Withdrawn = Pick<BudgetRow, 'id' | 'withdrawn_at' | 'withdrawn_by' | 'withdrawal_requested_by'>

const textOf = ({ id, withdrawn_at, withdrawn_by, withdrawal_requested_by }: Withdrawn) =>
  JSON.stringify([id, withdrawn_at?.toISOString() ?? null, withdrawn_by, withdrawal_requested_by])

/** Base64url, for the log: when the acceptance was withdrawn, by whom and for whom. */
export const withdrawalSeal = (macs: Macs, budget: Withdrawn): string =>
  macs.mac(WITHDRAWAL, textOf(budget)).toString('base64url')

export const isWithdrawalSealed = (macs: Macs, budget: Withdrawn, seal: string): boolean =>
  macs.verifyMac(WITHDRAWAL, textOf(budget), Buffer.from(seal, 'base64url'))
