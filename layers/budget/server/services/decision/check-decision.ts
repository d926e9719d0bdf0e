import type { Ctx, Tx } from '@svc/kit'
import { checkStep } from '../budget/check-step.ts'
import { agreedFields, type Agreed } from './agreed-fields.ts'
import type { DecisionInput } from './decide.ts'

/** Asks the guards of a decision that is valid and will be written next. */
export async function checkDecision(
  ctx: Ctx,
  tx: Tx,
  { decision, by: { via }, locale, signature }: DecisionInput & { locale: string },
  agreed: Agreed
): Promise<void> {
  const { budget } = agreed
  if (decision === 'accepted') {
    const fields = { via, locale, ...agreedFields(agreed) }
    return await checkStep(ctx, tx, { name: 'budget.accept', budget, fields })
  }
  const fields = { via, locale, reason_code: signature.reason_code ?? null }
  await checkStep(ctx, tx, { name: 'budget.reject', budget, fields })
}
