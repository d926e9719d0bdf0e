import type { PaymentRequest } from '../../shared/contract.ts'
import { isPayable } from '../../shared/domain/request-state.ts'

export type PaymentAction = 'paid' | 'refund' | 'cancel' | 'mail' | 'clear'

/** The actions on a request, each in a dialog. `reload` shows what has changed. */
export function usePaymentActions(reload: () => Promise<unknown>) {
  const { t } = useI18n()
  const toast = useToast()
  const payments = usePaymentsApi()
  /** The request that the dialogs are about. */
  const chosen = shallowRef<PaymentRequest | null>(null)
  const asking = ref<PaymentAction | null>(null)
  /** After an action: a failed reload must not look like a failed action. */
  const reloadQuietly = () => reload().catch(() => {})

  const action = <Body extends unknown[]>(act: (id: string, ...body: Body) => Promise<unknown>, done: () => string) =>
    useReloadingSave(async (...body: Body) => {
      await act(chosen.value!.id, ...body)
      asking.value = null
      toast.add({ title: done(), icon: 'i-lucide-circle-check' })
      await reloadQuietly()
    }, reloadQuietly)
  const saves = {
    paid: action(payments.markPaid, () => t('payments.paid.done')),
    refund: action(payments.refund, () => t('payments.refund.done')),
    cancel: action(payments.cancelRequest, () => t('payments.cancel.done')),
    mail: action(payments.sendLink, () => t('payments.mail.done')),
    clear: action(payments.clearAttention, () => t('payments.clear.done'))
  }

  function ask(what: PaymentAction, request: PaymentRequest) {
    saves[what].error.value = null
    chosen.value = request
    asking.value = what
  }
  return { chosen, asking, ...saves, ask }
}

/** Why the actions can't be used on a request; null: they can. */
export function usePaymentReasons() {
  const { t } = useI18n()
  return ({ state, attempts }: PaymentRequest): Record<PaymentAction, string | null> => {
    const closed = isPayable(state) ? null : t(`payments.no_change.${state as 'paid' | 'cancelled' | 'refunded'}`)
    return {
      // Also of a closed request: a second transfer can come.
      paid: null,
      refund: attempts.some(({ refundable }) => Number(refundable) > 0) ? null : t('payments.no_refund'),
      cancel: closed,
      mail: closed,
      clear: null
    }
  }
}
