import { problem } from '@svc/kit'
import type { Choice, Selection } from '../../../shared/domain/selection.ts'
import { unanswered } from '../../../shared/domain/selection.ts'
import type { ShownBudget } from '../../db/budgets.ts'
import type { SentItem } from '../../db/items.ts'
import { hasChoices, takeSelection, type BudgetTotals, type WithChoices } from '../budget/offer.ts'

/** As sent; undefined: omitted. */
type SentSelection = Record<string, string | null> | null | undefined
interface FieldError { pointer: string, message: string }

/** The columns that an acceptance writes into the budget's row; empty if there was nothing to choose. */
export type ChosenColumns = Partial<BudgetTotals & { selection: Selection }>

/** The same limit as in core's validation of bodies (`server/core/http/validate.ts`). */
const MAX_ERRORS = 100
const NOTHING_TO_CHOOSE = 'This budget has no choices.'

/**
 * The accepted lines at their final prices, and the columns to write. Throws `selection_incomplete`, or
 * `validation_failed` for a selection if there is nothing to choose, or for a missing `content_digest`.
 */
export function choose<Item extends SentItem>(
  budget: ShownBudget,
  items: Item[],
  { selection, content_digest }: { selection?: SentSelection, content_digest?: string | null }
): { items: Item[], columns: ChosenColumns } {
  if (!hasChoices(budget)) {
    assertOmitted(selection)
    return { items, columns: {} }
  }
  const answers = assertComplete(budget, items, selection)
  if (!content_digest) throw invalid('/content_digest', 'Send the `content_digest` of the price of this selection.')
  const taken = takeSelection(budget, items, answers)
  return { items: taken.items, columns: { ...taken.totals, selection: answers } }
}

/** A selection that can be priced: it contains only the budget's choices and their options. Throws like `choose`. */
export function readSelection(
  budget: ShownBudget,
  selection: SentSelection
): { budget: WithChoices<ShownBudget>, selection: Selection } {
  if (!hasChoices(budget)) throw invalid('/selection', NOTHING_TO_CHOOSE)
  const errors = unknownAnswers(budget.choices, selection ?? {})
  if (errors.length > 0) throw problem('selection_incomplete', { errors })
  return { budget, selection: Object.fromEntries(budget.choices.map(({ id }) => [id, selection?.[id] ?? null])) }
}

function assertOmitted(selection: SentSelection): void {
  if (selection !== undefined) throw invalid('/selection', NOTHING_TO_CHOOSE)
}

/** Every choice is answered with an existing option, required answers are not null, and at least one line is chosen. */
function assertComplete(
  { choices }: WithChoices<ShownBudget>,
  items: readonly SentItem[],
  selection: SentSelection
): Selection {
  const given = selection ?? {}
  const missing = choices.filter(({ id }) => !Object.hasOwn(given, id))
  const open = unanswered(choices, given).filter(({ id }) => Object.hasOwn(given, id))
  const errors = [
    ...unknownAnswers(choices, given),
    ...[...missing, ...open].map(({ id, rule }) => ({
      pointer: `/selection/${id}`,
      message: rule === 'at_most_one' ? 'Send the id of an option, or null for none.' : 'Choose one of the options.'
    }))
  ]
  if (errors.length === 0 && !hasLine(items, given))
    errors.push({ pointer: '/selection', message: 'Choose at least one treatment.' })
  if (errors.length > 0) throw problem('selection_incomplete', { errors })
  return given
}

const hasLine = (items: readonly SentItem[], selection: Selection) =>
  items.some(({ option_id }) => option_id === null || Object.values(selection).includes(option_id))

/** Errors for choices that the budget does not have, and for options that belong to another choice. */
function unknownAnswers(choices: readonly Choice[], selection: Record<string, string | null>): FieldError[] {
  const wrong = Object.entries(selection).flatMap(([id, answer]) => {
    const pointer = `/selection/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const choice = choices.find(one => one.id === id)
    if (!choice) return [{ pointer, message: 'There is no such choice.' }]
    const isKnown = answer === null || choice.options.some(option => option.id === answer)
    return isKnown ? [] : [{ pointer, message: 'There is no such option.' }]
  })
  return wrong.slice(0, MAX_ERRORS)
}

const invalid = (pointer: string, message: string) => problem('validation_failed', { errors: [{ pointer, message }] })
