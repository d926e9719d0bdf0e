import type { PatientView } from '../../../shared/contract.ts'
import { leastTotal, type Answers } from '../../utils/selection.ts'
import { useAnswers } from '../useAnswers.ts'
import type { BudgetPage } from './useBudgetPage.ts'

/** The reader's selection. It is kept for this tab until the session ends, so that it survives a reload. */
export function useSelection(page: BudgetPage, token: string) {
  const { t } = useI18n()
  const kept = keepInTab(`budget-choices:${token}`)
  const offer = computed(() => {
    const view = page.view.value
    return view?.choices && view.status === 'sent' && !page.over.value ? view : null
  })
  const chosen = useAnswers({ offer: () => offer.value, price, kept: kept.read })
  const { answers, prices, priced } = chosen
  // The session may have ended before this page was loaded.
  watch([page.view, page.signedOut], ([view, isOut], [before]) => {
    if (isOut || (before && !view)) kept.forget()
  })

  async function price(selection: Answers) {
    const answer = await page.api.price({ selection })
    page.hear(answer)
    if (answer.ok) return answer.data
    const { status, code } = answer.problem
    if (status === 401) await page.sessionEnded()
    else if (status === 409 || status === 410) {
      if (code === 'budget_expired') page.over.value = true
      await page.askView()
    } else page.say(t(status === 429 ? 'budget.notice.too_many' : 'budget.choice.not_priced'), { ask_again: true })
    return null
  }

  async function choose(choice: string, option: string | null) {
    const priced = chosen.choose(choice, option)
    kept.write(answers.value)
    await priced
  }

  /** The budget at the prices of the current selection. */
  const shown = computed<PatientView | null>(() => priced.value ?? page.view.value)
  /** The minimum total until everything is chosen. */
  const from = computed(() =>
    offer.value && !priced.value?.selection ? leastTotal(offer.value, answers.value, prices.value) : undefined
  )

  return { ...chosen, choose, shown, offer, from }
}
export type BudgetSelection = ReturnType<typeof useSelection>

/** Storage of this tab, if the browser allows it. */
function keepInTab(key: string) {
  const attempt = <T>(act: () => T): T | null => {
    try {
      return act()
    } catch {
      return null // storage is disabled, so a reload starts again
    }
  }
  return {
    read: () => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '{}') as Answers) ?? {},
    write: (answers: Answers) => void attempt(() => sessionStorage.setItem(key, JSON.stringify(answers))),
    forget: () => void attempt(() => sessionStorage.removeItem(key))
  }
}
