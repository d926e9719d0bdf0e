import type {
  CancelInvoiceRequest,
  CreditRequest,
  Invoice,
  IssueRequest,
  PaymentRequest,
  ReversePaymentRequest,
  SplitRequest
} from '../../shared/contract.ts'

type InvoiceCommand = 'split' | 'issue' | 'pay' | 'reverse' | 'credit' | 'cancel'

/** One invoice, with its actions and why they are unavailable. The response of each action replaces the invoice. */
export function useInvoice(id: string) {
  const { t } = useI18n()
  const toast = useToast()
  const billing = useBillingApi()
  const { data: stored, error, loading, load } = useLoaded(signal => billing.getInvoice(id, signal))
  const invoice = computed(() => stored.value?.data ?? null)
  const etag = () => stored.value?.etag ?? null
  const asking = ref<InvoiceCommand | null>(null)
  /** The payment to be reversed. */
  const payment = shallowRef<Invoice['payments'][number] | null>(null)

  const action = <A extends unknown[]>(
    act: (...input: A) => ReturnType<typeof billing.getInvoice>,
    done: () => string
  ) =>
    useReloadingSave(async (...input: A) => {
      stored.value = await act(...input)
      asking.value = null
      toast.add({ title: done(), icon: 'i-lucide-circle-check' })
    }, () => load({ quietly: true }))
  const issue = action(
    (request: IssueRequest) => billing.issueInvoice(id, request, etag()),
    () => {
      const { kind, number } = invoice.value!
      return kind === 'credit_note'
        ? t('billing.credit.issued', { number: number! })
        : t('billing.issue.done', { number: number! })
    }
  )
  const pay = action((payment: PaymentRequest) => billing.recordPayment(id, payment), () => t('billing.payment.done'))
  const reverse = action(
    (request: ReversePaymentRequest) => billing.reversePayment(id, payment.value!.id, request),
    () => t('billing.reverse.done')
  )
  const cancel = action(
    (request: CancelInvoiceRequest) => billing.cancelInvoice(id, request, etag()),
    () => invoice.value?.kind === 'credit_note' ? t('billing.credit.cancelled') : t('billing.cancel.done')
  )
  /** For actions that make another document, and open it. */
  const making = <A extends unknown[]>(
    make: (...input: A) => ReturnType<typeof billing.getInvoice>,
    done: () => string
  ) =>
    useReloadingSave(async (...input: A) => {
      const { data } = await make(...input)
      asking.value = null
      toast.add({ title: done(), icon: 'i-lucide-circle-check' })
      await navigateTo(`/invoices/${data.id}`)
    }, () => load({ quietly: true }))
  const credit = making(
    (request: CreditRequest) => billing.creditInvoice(id, request, etag()),
    () => t('billing.credit.done')
  )
  const split = making(
    (request: SplitRequest) => billing.splitInvoice(id, request, etag()),
    () => t('billing.split.done')
  )

  const reason = computed(() => {
    const status = invoice.value?.status ?? 'draft'
    if (invoice.value?.kind === 'credit_note') {
      const final = status === 'draft' ? null : t('billing.credit.final')
      return { issue: final, pay: null, credit: null, split: null, cancel: final }
    }
    return {
      issue: status === 'draft' ? null : t(`billing.no_issue.${status}`),
      pay: status === 'issued' ? null : t(`billing.no_payment.${status}`),
      credit: status === 'draft'
        ? t('billing.credit.draft')
        : status === 'cancelled'
          ? t('billing.no_payment.cancelled')
          : invoice.value?.items.some(({ left }) => Number(left) > 0) ? null : t('billing.credit.nothing'),
      split: isSplittable(invoice.value) ? null : t('billing.split.one_line'),
      cancel: ['paid', 'credited', 'cancelled'].includes(status)
        ? t(`billing.no_cancel.${status}`)
        : invoice.value?.payments.some(({ reversal }) => !reversal)
          ? t('billing.no_cancel.payments')
          : null
    }
  })

  function ask(what: InvoiceCommand) {
    for (const { error } of [split, issue, pay, reverse, credit, cancel]) error.value = null
    asking.value = what
  }
  function askToReverse(asked: Invoice['payments'][number]) {
    payment.value = asked
    ask('reverse')
  }
  const isOpen = (what: InvoiceCommand) =>
    computed({
      get: () => asking.value === what,
      set: (open) => {
        asking.value = open ? what : null
      }
    })
  return {
    invoice,
    error,
    loading,
    load,
    issue,
    pay,
    payment,
    reverse,
    credit,
    split,
    cancel,
    reason,
    ask,
    askToReverse,
    open: {
      issue: isOpen('issue'),
      pay: isOpen('pay'),
      reverse: isOpen('reverse'),
      credit: isOpen('credit'),
      split: isOpen('split'),
      cancel: isOpen('cancel')
    }
  }
}

/** One line with the quantity 1 has no parts. */
const isSplittable = (invoice: Invoice | null) =>
  invoice !== null && (invoice.items.length > 1 || invoice.items.some(({ quantity }) => quantity > 1))
