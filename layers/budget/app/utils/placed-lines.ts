import type { PatientView } from '../../shared/contract.ts'
import type { Place } from '../../shared/domain/teeth.ts'

/** A line for the chart. `option` is the title of its option. */
export type PlacedLine = Partial<{ [Key in keyof Place]: Place[Key] | null }> & { name: string, option?: string }

type Lines = Pick<PatientView, 'items' | 'choices'>

/** All lines of a budget, including those of its options. */
export const placedLines = ({ items, choices = [] }: Lines): PlacedLine[] => [
  ...items,
  ...choices.flatMap(({ options }) => options.flatMap(({ title, items }) =>
    items.map(item => ({ ...item, option: title }))))
]

/** Whether any line has teeth to draw. */
export const hasTeeth = (view: Lines): boolean => placedLines(view).some(({ teeth }) => (teeth ?? []).length > 0)
