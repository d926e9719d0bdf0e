import type { AskClauses } from '@svc/kit'
import { displayAmount, displayPercent } from '@svc/kit/locale'
import type { BudgetContentAt } from '@svc/kit/modules/budget'
import { formatMoney, parseMoney, parsePercent } from '@svc/kit/money'
import { depositOf, type DepositTerms } from '../../../shared/domain/deposit.ts'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { removeTerms, saveTerms } from '../../db/requests.ts'
import { settingsOf } from '../../settings.ts'
import { clauseTexts } from './texts.ts'

/**
 * The condition that states the deposit, and its terms, in the transaction of the sending: later settings don't change
 * what this version says. A preview rolls both back.
 */
export const addClause: AskClauses<BudgetContentAt> = async (ctx, at) => {
  const { tx, clinic_id, budget_id } = at
  const settings = await settingsOf(ctx, clinic_id, tx)
  const terms = termsOf(settings, at.currency)
  const text = terms && describe({ ...terms, due_days: settings.due_days }, at)
  if (!terms || text === null) {
    await removeTerms(tx, budget_id)
    return []
  }
  await saveTerms(tx, { clinic_id, budget_id, ...terms, due_days: settings.due_days })
  return [{ id: 'deposit', title: clauseTexts(at.locale).title, text }]
}

/** Null without a deposit. */
function termsOf(settings: PaymentSettings, currency: string): DepositTerms | null {
  const from_total = settings.deposit_from === null ? 0n : parseMoney(settings.deposit_from, currency) ?? 0n
  if (settings.deposit === 'percent') {
    const percent = Number(parsePercent(settings.deposit_percent))
    return percent > 0 ? { percent, amount: null, from_total } : null
  }
  const amount = settings.deposit === 'amount' ? parseMoney(settings.deposit_amount ?? '0', currency) : null
  return amount ? { percent: null, amount, from_total } : null
}

/** With the time to pay, as the accepted condition fixes it. Null if no selection has a deposit. */
function describe(terms: DepositTerms & { due_days: number }, at: BudgetContentAt): string | null {
  const { currency, locale, total, price_from, price_to } = at
  const minor = (text: string) => parseMoney(text, currency)!
  const show = (amount: bigint) => displayAmount(formatMoney(amount, currency), currency, locale)
  const texts = clauseTexts(locale)
  const percent = terms.percent === null ? null : displayPercent(BigInt(terms.percent), locale)
  // Without days, the first sentence says it all: on acceptance.
  const within = terms.due_days === 0 ? [] : [texts.within(terms.due_days)]
  if (price_from === null || price_to === null) {
    const deposit = depositOf(minor(total), terms)
    if (deposit === 0n) return null
    const sentence = percent === null ? texts.amount(show(deposit)) : texts.percent(percent, show(deposit))
    return [`${sentence}.`, ...within].join(' ')
  }
  if (depositOf(minor(price_to), terms) === 0n) return null
  const sentence = percent === null ? texts.amount(show(terms.amount!)) : texts.percentOnly(percent)
  const from = minor(price_from) < terms.from_total ? [texts.from(show(terms.from_total))] : []
  return [`${sentence}.`, ...within, ...from].join(' ')
}
