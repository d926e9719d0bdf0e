import type { PatientView, PriceAnswer } from '../../shared/contract.ts'
import { answersTo, openChoices, pricedView, takesNothing, type Answers } from '../utils/selection.ts'

interface Options {
  /** The budget while its patient can choose; null otherwise. */
  offer: () => PatientView | null
  /** Returns the server's price. Null after a failure, which the caller reports. */
  price: (answers: Answers) => Promise<PriceAnswer | null>
  /** Answers that were kept for this budget. */
  kept?: () => Answers
}

/**
 * A selection of a budget's options at the server's prices, made by the patient, in the staff's preview, or at the
 * clinic.
 */
export function useAnswers({ offer, price, kept }: Options) {
  const answers = ref<Answers>({})
  /** The server's last price, and the key of the answers that it is for. */
  const last = shallowRef<{ key: string, prices: PriceAnswer } | null>(null)
  /** Null until the server has priced exactly these answers. */
  const prices = computed(() => (last.value?.key === answersKey(answers.value) ? last.value.prices : null))
  /** Why the budget cannot be accepted yet: a choice's id, or `nothing` if no line would be accepted. */
  const missing = ref<string | null>(null)

  /** The newest request. Responses to older ones are ignored. */
  let asked: Promise<void> = Promise.resolve()
  let turn = 0
  const ask = () => (asked = askFor(++turn))
  async function askFor(mine: number) {
    const key = answersKey(answers.value)
    const answer = await price(answers.value)
    if (mine === turn && offer() && (answer || last.value?.key !== key)) last.value = answer && { key, prices: answer }
  }

  watch(offer, (view, before) => {
    if (!view) return forget()
    if (before && !sameValue([before.items, before.choices], [view.items, view.choices])) last.value = null
    answers.value = answersTo(view.choices!, { ...kept?.(), ...answers.value })
    void ask()
  }, { immediate: true })

  function forget() {
    answers.value = {}
    last.value = null
    missing.value = null
  }

  async function choose(choice: string, option: string | null) {
    answers.value = { ...answers.value, [choice]: option }
    missing.value = null
    await ask()
  }

  /** Whether the budget can be accepted. Sets `missing`, null if only the price is missing. Waits for the price. */
  async function isComplete(): Promise<boolean> {
    if (!offer()) return true
    // The answers or the budget may change while the price is being loaded.
    let waited
    do {
      const view = offer()
      if (!view) return false
      missing.value
        = openChoices(view.choices!, answers.value)[0]?.id ?? (takesNothing(view, answers.value) ? 'nothing' : null)
      if (missing.value) return false
      waited = asked
      await waited
    } while (waited !== asked)
    return prices.value?.content_digest != null
  }

  /** The budget at the prices of the current selection. Null if there is nothing to choose. */
  const priced = computed<PatientView | null>(() => {
    const view = offer()
    return view && prices.value ? pricedView(view, answers.value, prices.value) : view
  })

  return { answers, prices, missing, choose, isComplete, priced }
}

/** A key that is equal for equal answers. */
export const answersKey = (answers: Answers) => JSON.stringify(answers)
