import type { PatientView } from '../../shared/contract.ts'
import type { Place } from '../../shared/domain/teeth.ts'

/** A line as a chart needs it; `option`: the title of the option that it belongs to. */
export type PlacedLine = Partial<{ [Key in keyof Place]: Place[Key] | null }> & { name: string, option?: string }

type Lines = Pick<PatientView, 'items' | 'choices'>

/** All lines of a budget, those of its options too. */
export const placedLines = ({ items, choices = [] }: Lines): PlacedLine[] => [
  ...items,
  ...choices.flatMap(({ options }) => options.flatMap(({ title, items }) =>
    items.map(item => ({ ...item, option: title }))))
]

/** Whether there is anything to draw. */
export const hasTeeth = (view: Lines): boolean => placedLines(view).some(({ teeth }) => (teeth ?? []).length > 0)
