import type {
  AcceptRequest,
  DoneRequest,
  Locale,
  RejectRequest,
  ResendRequest,
  SendRequest,
  WithdrawRequest
} from '../../shared/contract.ts'

/** The action that a dialog is for. */
export type BudgetDialog
  = | 'send'
    | 'resend'
    | 'new_link'
    | 'set_code'
    | 'unlock'
    | 'cancel'
    | 'delete'
    | 'hand_over'
    | 'accept'
    | 'reject'
    | 'withdraw'
    | 'done'
    | 'save_template'
/** The link and code that were just created. The code isn't available anywhere else. */
export interface Handover { code: string | null, url: string | null }

/**
 * The actions on one budget. One dialog is open at a time, and it stays open with what was typed until its action
 * succeeds.
 */
export function useBudgetActions(id: string, during: <T>(act: () => Promise<T>) => Promise<T>) {
  const { t } = useI18n()
  const toast = useToast()
  const api = useBudgetApi()
  const templates = useTemplatesApi()
  const dialog = ref<BudgetDialog | null>(null)
  const handover = ref<Handover | null>(null)
  const { saving, error, run } = useSave((act: () => Promise<unknown>) => act())

  function open(which: BudgetDialog | null) {
    if (saving.value) return
    error.value = null
    dialog.value = which
  }

  /** Closes the dialog and shows a toast. After a failure the dialog stays open with the error. */
  const perform = <T>(done: () => string, act: () => Promise<T>, then: (answer: T) => void = () => {}) =>
    run(async () => {
      const answer = await during(act)
      dialog.value = null
      toast.add({ title: done(), icon: 'i-lucide-circle-check' })
      then(answer)
    })

  /**
   * `new_code`: generate a code that replaces the draft's. That takes effect at once, so the new code is shown even if
   * sending fails.
   */
  async function sendWith(body: SendRequest, new_code: boolean) {
    const code = new_code ? (await api.setPublicCode(id, { generate: true })).data.public_code ?? null : null
    try {
      const { data } = await api.sendBudget(id, body)
      return { code: data.public_code ?? code, url: data.url }
    } catch (thrown) {
      if (code) {
        dialog.value = null // the page shows the error, behind the dialog with the code
        handover.value = { code, url: null }
      }
      throw thrown
    }
  }

  return {
    dialog,
    open,
    saving,
    error,
    handover,
    send: (body: SendRequest, { new_code = false } = {}) =>
      perform(
        () => t('budget.detail.done.sent'),
        () => sendWith(body, new_code),
        (given) => {
          handover.value = given
        }
      ),
    resend: (body: ResendRequest) =>
      perform(
        () => (body.new_link ? t('budget.detail.done.new_link') : t('budget.detail.done.resent')),
        () => api.resendLink(id, body)
      ),
    setCode: (body: { code: string } | { generate: true }) =>
      perform(
        () => t('budget.detail.done.code_set'),
        async () => (await api.setPublicCode(id, body)).data,
        ({ public_code }) => {
          handover.value = public_code ? { code: public_code, url: null } : null
        }
      ),
    unlock: (reason: string | null) =>
      perform(
        () => t('budget.detail.done.unlocked'),
        () => api.unlockPublic(id, reason)
      ),
    cancel: (reason: string | null) =>
      perform(
        () => t('budget.detail.done.cancelled'),
        () => api.cancelBudget(id, { reason })
      ),
    withdraw: (body: WithdrawRequest) =>
      perform(
        () => t('budget.detail.done.withdrawn'),
        () => api.withdrawBudget(id, body)
      ),
    recordDone: (body: DoneRequest) =>
      perform(
        () => t('budget.detail.done.lines'),
        () => api.recordDone(id, body)
      ),
    saveTemplate: (name: string) =>
      perform(
        () => t('budget.template.saved'),
        () => templates.save({ name, budget_id: id })
      ),
    accept: (body: AcceptRequest, locale: Locale) =>
      perform(
        () => t('budget.detail.done.accepted'),
        () => api.acceptInClinic(id, body, locale)
      ),
    reject: (body: RejectRequest, locale: Locale) =>
      perform(
        () => t('budget.detail.done.rejected'),
        () => api.rejectInClinic(id, body, locale)
      ),

    // These actions open another page. If they are refused, `during` loads the budget's current state.
    remove: () =>
      run(() =>
        during(async () => {
          await api.removeBudget(id)
          toast.add({ title: t('budget.detail.done.deleted'), icon: 'i-lucide-circle-check' })
          await navigateTo('/budgets')
        })
      ),
    revise: () =>
      run(() => during(async () => await navigateTo(`/budgets/${(await api.reviseBudget(id)).data.id}/edit`))),
    duplicate: () =>
      run(() => during(async () => await navigateTo(`/budgets/${(await api.duplicateBudget(id)).data.id}/edit`)))
  }
}
