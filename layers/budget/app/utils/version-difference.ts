import type { BudgetDetail } from '../../shared/contract.ts'
import { placeKey, placeOf, teethText } from '../../shared/domain/teeth.ts'

type Line = BudgetDetail['items'][number]
type Clause = NonNullable<BudgetDetail['clauses']>[number]
/** The compared fields of a line. */
const LINE_FIELDS = [
  'name',
  'quantity',
  'unit_price',
  'discount',
  'vat',
  'place',
  'note',
  'notes',
  'price'
] as const
type LineField = typeof LINE_FIELDS[number]
/** The compared fields of the whole budget. */
const FIELDS = [
  'patient',
  'professional',
  'valid_until',
  'global_discount',
  'choices',
  'original',
  'discount',
  'tax',
  'total',
  'patient_notes',
  'internal_notes'
] as const
type Field = typeof FIELDS[number]

/** Values in the API's form, which the screen formats for its language. Null if there was no value. */
export interface Change<Name extends string> { field: Name, before: string | null, after: string | null }
export type LineDifference
  = | { kind: 'added' | 'removed', line: Line }
    | { kind: 'changed', line: Line, changes: Change<LineField>[] }
/** Title and text without change are left out of `changes`. */
export type ClauseDifference
  = | { kind: 'added' | 'removed', clause: Clause }
    | { kind: 'changed', clause: Clause, changes: Change<'title' | 'text'>[] }
export interface VersionDifference {
  lines: LineDifference[]
  clauses: ClauseDifference[]
  fields: Change<Field>[]
  same: boolean
}

type Compared = Pick<
  BudgetDetail,
  | 'items'
  | 'choices'
  | 'patient'
  | 'professional'
  | 'valid_until'
  | 'global_discount'
  | 'totals'
  | 'patient_notes'
  | 'internal_notes'
> & {
  /** Null if they are unknown; then they aren't compared. */
  clauses?: Clause[] | null
}

/** Texts in the reader's language. */
interface Words {
  /** A line's place; null if it has none. */
  placeText: (line: Line) => string | null
  /** Follows the title of a choice that may stay without an answer. */
  optional: string
  /** Separates options; ends with a space. */
  comma: string
}
type ChoiceWords = Pick<Words, 'optional' | 'comma'>

/** The differences from `before` to `after`, in the order of `after`, followed by what was removed. */
export function differenceOf(
  before: Compared,
  after: Compared,
  { placeText = inFdi, optional = 'optional', comma = ', ' }: Partial<Words> = {}
): VersionDifference {
  const words = { optional, comma }
  const fields = changes(FIELDS, textsOf(before, words), textsOf(after, words))
  const lines = lineDifferences(namedLines(before), namedLines(after), placeText)
  const clauses = before.clauses === null || after.clauses === null
    ? []
    : clauseDifferences(before.clauses ?? [], after.clauses ?? [])
  return { lines, clauses, fields, same: [fields, lines, clauses].every(found => found.length === 0) }
}

/** Adds the option to the names and ids of its lines, so that they don't match the same treatment elsewhere. */
const namedLines = ({ items, choices = [] }: Compared): Line[] => [
  ...items,
  ...choices.flatMap(choice => choice.options.flatMap(option => option.items.map(item => ({
    ...item,
    name: `${item.name} – ${option.title}`,
    treatment_id: JSON.stringify([item.treatment_id, choice.title, option.title])
  }))))
]

/** A text line for each choice, with its rule and its options in order. ★ marks the recommended one. */
function choicesText(choices: Compared['choices'], { comma, optional }: ChoiceWords): string | null {
  return choices
    ?.map(({ title, rule, options }) =>
      `${title}${rule === 'at_most_one' ? ` (${optional})` : ''}: ${options.map(optionText).join(comma)}`)
    .join('\n') || null
}
type Option = NonNullable<Compared['choices']>[number]['options'][number]
const optionText = ({ title, description, recommended }: Pick<Option, 'title' | 'description' | 'recommended'>) =>
  [title, recommended && '★', description && `(${description})`].filter(Boolean).join(' ')

/**
 * Pairs the lines of two versions, since lines have no common id: first by treatment and place in the mouth, then by
 * treatment alone.
 */
function lineDifferences(
  before: Line[],
  after: Line[],
  placeText: (line: Line) => string | null
): LineDifference[] {
  const rest = [...before]
  const take = (fits: (line: Line) => boolean) => {
    const at = rest.findIndex(fits)
    return at < 0 ? null : rest.splice(at, 1)[0]!
  }
  const pairs = new Map<Line, Line | null>()
  for (const line of after)
    pairs.set(
      line,
      take(old => old.treatment_id === line.treatment_id && placeKey(old) === placeKey(line))
    )
  for (const line of after) if (!pairs.get(line)) pairs.set(line, take(old => old.treatment_id === line.treatment_id))

  const found = after.flatMap<LineDifference>((line) => {
    const old = pairs.get(line)
    if (!old) return [{ kind: 'added', line }]
    const different = changes(
      LINE_FIELDS,
      { ...lineTexts(old), place: placeText(old) },
      { ...lineTexts(line), place: placeText(line) }
    )
    return different.length > 0 ? [{ kind: 'changed', line, changes: different }] : []
  })
  return [...found, ...rest.map(line => ({ kind: 'removed' as const, line }))]
}

/** A condition keeps its module and its id from version to version. */
function clauseDifferences(before: Clause[], after: Clause[]): ClauseDifference[] {
  const find = (clauses: Clause[], { module, id }: Clause) =>
    clauses.find(clause => clause.module === module && clause.id === id)
  const found = after.flatMap<ClauseDifference>((clause) => {
    const old = find(before, clause)
    if (!old) return [{ kind: 'added', clause }]
    const different = changes(['title', 'text'], old, clause)
    return different.length > 0 ? [{ kind: 'changed', clause, changes: different }] : []
  })
  const removed = before.filter(clause => !find(after, clause))
  return [...found, ...removed.map(clause => ({ kind: 'removed' as const, clause }))]
}

function changes<Name extends string>(
  names: readonly Name[],
  before: Record<Name, string | null>,
  after: Record<Name, string | null>
): Change<Name>[] {
  return names
    .filter(name => before[name] !== after[name])
    .map(field => ({ field, before: before[field], after: after[field] }))
}

function inFdi(line: Line): string | null {
  const { area, site, ...place } = placeOf(line)
  return [teethText(place, 'fdi'), area, site].filter(Boolean).join(' · ') || null
}

const discountText = (discount: { type: string, value: string } | null) =>
  discount && (discount.type === 'percent' ? `${discount.value}%` : discount.value)

const lineTexts = (line: Line): Record<Exclude<LineField, 'place'>, string | null> => ({
  ...line,
  note: line.note ?? null,
  quantity: String(line.quantity),
  discount: discountText(line.discount)
})

const textsOf = (
  { patient, professional, valid_until, global_discount, choices, totals, patient_notes, internal_notes }: Compared,
  words: ChoiceWords
): Record<Field, string | null> => ({
  patient: `${patient.first_name} ${patient.last_name}`.trim(),
  professional: professional?.name ?? null,
  valid_until,
  global_discount: discountText(global_discount),
  choices: choicesText(choices, words),
  ...totals,
  patient_notes,
  internal_notes
})
