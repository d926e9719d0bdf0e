import { parseMoney } from '@svc/kit/money'
import { PAYMENT_METHODS } from '../../shared/contract.ts'

/** The balances of advances in minor units; advances of one budget have one currency. */
export const sumOfBalances = (advances: { balance: string }[], currency: string): bigint =>
  advances.reduce((sum, { balance }) => sum + (parseMoney(balance, currency) ?? 0n), 0n)

/** The ways to pay, for the field of `MoneyDialog`. */
export const usePaymentMethods = () => {
  const { t } = useI18n()
  return computed(() => PAYMENT_METHODS.map(value => ({ value, label: t(`billing.method.${value}`) })))
}
