import type { AcceptAnswer, RejectAnswer } from '../../../shared/contract.ts'
import type { Answer, ApiProblem } from '../../utils/call.ts'
import type { DraftErrors, DraftField } from '../../utils/draft.ts'
import type { BudgetPage } from './useBudgetPage.ts'
import type { BudgetSelection } from './useSelection.ts'
import { useStepHistory } from './useStepHistory.ts'

type DecisionAnswer = AcceptAnswer | RejectAnswer
type DecisionStatus = DecisionAnswer['status']

/** Accepting and rejecting. Success is shown only when the server has confirmed it. */
export function useDecision(page: BudgetPage, selection: BudgetSelection) {
  const { t } = useI18n()
  const draft = reactive(emptyDraft())
  const errors = ref<DraftErrors>({})
  const refused = useRefusal(page, invalid)

  function invalid(fields: DraftField[]) {
    errors.value = Object.fromEntries(fields.map(field => [field, t(`budget.invalid.${field}`)]))
  }

  function forget() {
    errors.value = {}
    page.notice.value = null
  }

  function go(step: 'accepting' | 'rejecting' | 'reading') {
    forget()
    page.step.value = step
  }
  /**
   * Opens a step and returns true. Returns false if the reader can't accept yet: a choice is open, the price is unknown
   * or a part of the offer couldn't be rendered.
   */
  async function begin(step: 'accepting' | 'rejecting'): Promise<boolean> {
    if (step === 'accepting' && (!(await selection.isComplete()) || page.broken.value)) return false
    go(step)
    return true
  }
  const hasOpenChoices = () => {
    const view = selection.shown.value
    return view?.choices !== undefined && !view.decision && !view.selection
  }
  // The selection can become invalid while the reader signs: the budget changed, or its price could not be loaded.
  watch(selection.shown, () => {
    if (page.step.value === 'accepting' && hasOpenChoices()) go('reading')
  })
  // A part of the offer, or of its summary beside the signature, couldn't be rendered.
  watch(page.broken, () => {
    if (page.step.value === 'accepting') go('reading')
  })
  // The consent is for a price, so another selection clears it.
  watch(() => answersKey(selection.answers.value), () => {
    draft.consent = false
  })

  useStepHistory(page, { onMove: forget, mayMove: step => step !== 'accepting' || !(page.broken.value || hasOpenChoices()) })
  watch(page.step, (step) => {
    if (step === 'reading' || draft.relationship !== 'patient' || !page.view.value) return
    draft.signer_name ||= fullName(page.view.value.patient)
  })

  const accept = () =>
    decide('accepted', missingToAccept(draft), () =>
      page.api.accept(acceptRequest(draft, selection.shown.value!))
    )
  const reject = () => decide('rejected', missingToReject(draft), () => page.api.reject(rejectRequest(draft)))

  async function decide(wanted: DecisionStatus, missing: DraftField[], send: () => Promise<Answer<DecisionAnswer>>) {
    if (page.busy.value) return
    invalid(missing)
    if (missing.length) return
    page.busy.value = true
    page.notice.value = null
    const answer = await send()
    if (answer.ok) confirmed(answer.data)
    else await refused(answer.problem, wanted)
    page.busy.value = false
  }

  /** Adds the decision that the server confirmed to the budget on the page. */
  function confirmed({ status, decided_at }: DecisionAnswer) {
    page.decidedHere.value = true
    page.view.value = {
      ...(status === 'accepted' ? selection.shown : page.view).value!,
      status,
      decision: {
        status,
        decided_at,
        signer_name: draft.signer_name.trim(),
        reason: status === 'rejected' ? draft.reason.trim() || null : null
      },
      signed_pdf: { status: status === 'accepted' ? 'pending' : 'none', sha256: null }
    }
  }

  return { draft, errors, begin, back: () => go('reading'), accept, reject }
}

/** After a refusal or no answer: loads the current state before anything is offered again. */
function useRefusal(page: BudgetPage, invalid: (fields: DraftField[]) => void) {
  const { t } = useI18n()

  async function refused(problem: ApiProblem, wanted: DecisionStatus) {
    const refusal = refusalOf(problem)
    if (refusal) return await showRefusal(refusal)
    if (problem.status === 401) return page.sessionEnded()
    if (problem.status === 429) return page.say(t('budget.notice.too_many'))
    if (problem.status === 422) {
      const fields = fieldsOf(problem)
      if (fields.length) return invalid(fields)
      if (problem.code !== 'selection_incomplete') return page.say(t('budget.notice.not_understood'))
    }
    if (problem.code === 'budget_expired') page.over.value = true

    const unseen = await page.askView()
    if (unseen?.status === 401) return page.sessionEnded()
    if (unseen && unseen.status !== 404) return page.say(t('budget.notice.outcome_unknown'), { ask_again: true })
    if (!unseen) explain(problem, wanted)
  }

  /** The budget may have changed with what the module demands, such as a section with a button to pay. */
  async function showRefusal(text: string) {
    const unseen = await page.askView()
    if (unseen?.status === 401) return page.sessionEnded()
    page.say(text)
  }

  function explain(problem: ApiProblem, wanted: DecisionStatus) {
    const decision = page.view.value?.decision
    if (decision?.status === wanted && isUncertain(problem)) {
      page.decidedHere.value = true
      return page.say(t('budget.notice.arrived_after_all'), { tone: 'info' })
    }
    if (decision) return page.say(t('budget.notice.already_decided'))
    if (problem.code === 'commits_waiting') return page.say(t('budget.notice.not_confirmed'), { ask_again: true })
    if (problem.code === 'content_changed' || problem.code === 'selection_incomplete') {
      page.step.value = 'reading'
      return page.say(t('budget.notice.content_changed'))
    }
    page.say(t(problem.status === 410 ? 'budget.notice.no_longer_open' : 'budget.notice.not_recorded'))
  }

  return refused
}
