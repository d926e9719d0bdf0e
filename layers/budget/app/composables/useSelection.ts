import type { PatientView, PriceAnswer } from '../../shared/contract.ts'
import { answersTo, openChoices, pricedView, takesNothing, type Answers } from '../utils/selection.ts'
import type { BudgetPage } from './useBudgetPage.ts'

/** Why a budget cannot be accepted yet: a choice's id, or `nothing` if no line would be accepted. */
type Missing = string | null

/**
 * What the reader chooses, at the server's prices. Answers survive a reload in this tab; they end with the session.
 */
export function useSelection(page: BudgetPage, token: string) {
  const { t } = useI18n()
  const answers = ref<Answers>({})
  const prices = shallowRef<PriceAnswer | null>(null)
  const missing = ref<Missing>(null)
  const kept = keepInTab(`budget-choices:${token}`)

  const offer = computed(() => {
    const view = page.view.value
    return view?.choices && view.status === 'sent' && !page.over.value ? view : null
  })
  watch(page.view, (view, before) => {
    if (!view) {
      answers.value = {}
      prices.value = null
      if (before) kept.forget()
    } else if (offer.value) {
      answers.value = answersTo(offer.value.choices!, { ...kept.read(), ...answers.value })
      void price()
    }
  })

  /** The newest question; what an older one answers comes too late. */
  let asked: Promise<void> = Promise.resolve()
  let turn = 0
  const price = () => (asked = ask(++turn))
  async function ask(mine: number) {
    const answer = await page.api.price({ selection: answers.value })
    if (mine !== turn || !offer.value) return
    page.hear(answer)
    if (answer.ok) {
      prices.value = answer.data
      return
    }
    prices.value = null
    if (answer.problem.status === 401) return page.sessionEnded()
    if (answer.problem.status === 409 || answer.problem.status === 410) {
      if (answer.problem.code === 'budget_expired') page.over.value = true
      return void await page.askView()
    }
    page.say(t(answer.problem.status === 429 ? 'budget.notice.too_many' : 'budget.choice.not_priced'), {
      ask_again: true
    })
  }

  async function choose(choice: string, option: string | null) {
    answers.value = { ...answers.value, [choice]: option }
    missing.value = null
    kept.write(answers.value)
    await price()
  }

  /** Whether the budget can be accepted; if not, says what is missing. Waits for the price. */
  async function isComplete(): Promise<boolean> {
    const view = offer.value
    if (!view) return true
    missing.value
      = openChoices(view.choices!, answers.value)[0]?.id ?? (takesNothing(view, answers.value) ? 'nothing' : null)
    if (missing.value) return false
    await asked
    return prices.value?.content_digest != null
  }

  /** As it is shown: at the prices of what was chosen so far. */
  const shown = computed<PatientView | null>(() =>
    offer.value && prices.value ? pricedView(offer.value, answers.value, prices.value) : page.view.value
  )

  return { answers, prices, missing, choose, isComplete, shown, offer }
}
export type BudgetSelection = ReturnType<typeof useSelection>

/** Kept by the tab, if the browser allows it. */
function keepInTab(key: string) {
  const attempt = <T>(act: () => T): T | null => {
    try {
      return act()
    } catch {
      return null // storage is switched off: a reload begins anew
    }
  }
  return {
    read: () => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '{}') as Answers) ?? {},
    write: (answers: Answers) => void attempt(() => sessionStorage.setItem(key, JSON.stringify(answers))),
    forget: () => void attempt(() => sessionStorage.removeItem(key))
  }
}
