import type { PriceAnswer } from '../../shared/contract.ts'
import { minorUnits, openChoices, type Answers, type Choice } from './selection.ts'

// A file of its own, because phones load it only for a budget with choices.

/** The ids of a choice and one of its options. */
interface Taken { choice: string, option: string }

/**
 * The price on an option's card: the total with it, if that completes the selection, else what it adds or saves. Null
 * if the discount already covers the whole sum, because then we can't tell what the option adds.
 */
export function priceWith(
  choices: readonly Choice[],
  answers: Answers,
  prices: PriceAnswer,
  taken: Taken
): ['total_with' | 'adds' | 'saves', string] | null {
  const { choice, option } = taken
  const total = prices.with[option]
  if (!total) return null
  if (openChoices(choices, { ...answers, [choice]: option }).length === 0) return ['total_with', total]
  if (answers[choice] === option) return null
  const added = minorUnits(total) - minorUnits(prices.total)
  const isCovered = minorUnits(total) === 0n
    || (minorUnits(prices.total) === 0n && !(minorUnits(prices.original_total) === 0n && isPercentage(choices, prices)))
  if (isCovered && added !== differenceBeforeDiscount(choices, answers, taken)) return null
  const text = String(added < 0n ? -added : added)
  return [added < 0n ? 'saves' : 'adds', withPoint(text, total.split('.')[1]?.length ?? 0)]
}

/**
 * Whether the discount on the total is a percentage. Only for a total of 0 before discounts: a fixed amount deducts the
 * same from every option, but a percentage doesn't.
 */
function isPercentage(choices: readonly Choice[], prices: PriceAnswer): boolean {
  const deductions = choices.flatMap(({ options }) => options).flatMap(({ id, price }) => {
    const total = minorUnits(prices.with[id] ?? '0')
    return total === 0n ? [] : [minorUnits(price) - total]
  })
  return new Set(deductions).size > 1
}

function differenceBeforeDiscount(choices: readonly Choice[], answers: Answers, { choice, option }: Taken): bigint {
  const options = choices.find(({ id }) => id === choice)?.options ?? []
  const priceOf = (wanted: string | null | undefined) =>
    minorUnits(options.find(({ id }) => id === wanted)?.price ?? '0')
  return priceOf(option) - priceOf(answers[choice])
}

function withPoint(minor: string, places: number): string {
  const text = minor.padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}
