import type { BudgetDetail, ChoiceInput } from '../../shared/contract.ts'
import type { DraftLine, FormLine } from './budget-form.ts'
import { nextKey } from './next-key.ts'

/** An option in the form. Its lines are those whose `option` is its `key`. */
export interface FormOption { key: number, id: string | null, title: string, description: string, recommended: boolean }
export interface FormChoice { key: number, id: string | null, title: string, rule: ChoiceInput['rule'], options: FormOption[] }
/** The section of a line: the key of an option, or null for lines in every selection. */
export type Section = number | null

export type DraftOption = Required<Omit<ChoiceInput['options'][number], 'items'>> & { items: DraftLine[] }
/** A choice in the request, with every field. */
export type DraftChoice = Required<Omit<ChoiceInput, 'options'>> & { options: DraftOption[] }

const MAX_TITLE = 100

/** Sections in the order of their lines: the base, then the options of each choice. */
export const sectionsOf = (choices: readonly FormChoice[]): Section[] => [
  null,
  ...choices.flatMap(({ options }) => options.map(({ key }) => key))
]

/** Sorts lines by their sections. */
export const inOrder = (lines: readonly FormLine[], choices: readonly FormChoice[]): FormLine[] =>
  sectionsOf(choices).flatMap(section => lines.filter(({ option }) => option === section))

/** Each line's path in a request: `items.0`, `choices.1.options.0.items.2`. */
export function pathsOf(lines: readonly FormLine[], choices: readonly FormChoice[]): string[] {
  const places = new Map<Section, string>([
    [null, 'items'],
    ...choices.flatMap(({ options }, at) =>
      options.map(({ key }, index) => [key, `choices.${at}.options.${index}.items`] as const)
    )
  ])
  const counts = new Map<Section, number>()
  return lines.map(({ option }) => {
    const index = counts.get(option) ?? 0
    counts.set(option, index + 1)
    return `${places.get(option)}.${index}`
  })
}

export const newOption = (title = ''): FormOption =>
  ({ key: nextKey(), id: null, title: title.slice(0, MAX_TITLE), description: '', recommended: false })

export const newChoice = (title: string, rule: FormChoice['rule'], options: FormOption[]): FormChoice =>
  ({ key: nextKey(), id: null, title: title.slice(0, MAX_TITLE), rule, options })

/** An extra is a choice with a single, optional option, shown as a checkbox. */
export const isExtra = ({ rule, options }: FormChoice): boolean => rule === 'at_most_one' && options.length === 1

/** Converts stored choices to the form's, with the section of each option. */
export const choicesOfDetail = (detail: BudgetDetail): { choice: FormChoice, sections: FormOption[] }[] =>
  (detail.choices ?? []).map(({ id, title, rule, options }) => {
    const sections = options.map(option => ({
      key: nextKey(),
      id: option.id,
      title: option.title,
      description: option.description ?? '',
      recommended: option.recommended
    }))
    return { choice: { key: nextKey(), id, title, rule, options: sections }, sections }
  })

type Offered = Pick<BudgetDetail, 'items' | 'choices'>

/** All lines: the base lines and those of every option. */
export const allLines = ({ items, choices = [] }: Offered): BudgetDetail['items'] =>
  [...items, ...choices.flatMap(({ options }) => options.flatMap(option => option.items))]

/** The fields of a draft that contain lines. */
export const LINE_FIELDS = ['items', 'choices'] as const
export type LineField = typeof LINE_FIELDS[number]

/**
 * Clears the ids of choices and options that someone else removed, so that they are saved as new ones. Returns the
 * lines that were removed too, which the caller renews. Both are limited to the `sent` fields.
 */
export function clearRemovedIds(
  { lines, choices }: { lines: readonly FormLine[], choices: readonly FormChoice[] },
  detail: Offered,
  sent: readonly LineField[]
): FormLine[] {
  const stored = detail.choices ?? []
  const options = stored.flatMap(choice => choice.options)
  const forget = (own: { id: string | null }, left: readonly { id: string }[]) => {
    if (!left.some(({ id }) => id === own.id)) own.id = null
  }
  for (const choice of sent.includes('choices') ? choices : []) {
    forget(choice, stored)
    for (const option of choice.options) forget(option, options)
  }
  const left = new Set(allLines(detail).map(({ id }) => id))
  return lines.filter(({ id, option }) =>
    id !== null && !left.has(id) && sent.includes(option === null ? 'items' : 'choices'))
}
