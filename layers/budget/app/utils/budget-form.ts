import type { BudgetDetail, CreateRequest, DiscountInput, ItemInput } from '../../shared/contract.ts'
import { placeOf, type Area, type Notation, type Surface } from '../../shared/domain/teeth.ts'
import { choicesOfDetail, pathsOf, type DraftChoice, type FormChoice, type Section } from './budget-options.ts'
import { nextKey } from './next-key.ts'
import { readTeeth } from './typed-teeth.ts'

/** A discount as it is typed: its amount is text in the page's language. */
export interface TypedDiscount { type: DiscountInput['type'], text: string }
export interface FormLine {
  /** Identifies the line while it is moved. */
  key: number
  /** The saved line's id; null for a new line. */
  id: string | null
  /** The section of the line: an option, or null. */
  option: Section
  treatment_id: string
  code: string
  /** Names by language. A saved line has only the patient's language. */
  names: Record<string, string>
  vat: string
  /** The catalog's price, used if the field is empty; null for saved lines. */
  usual_price: string | null
  quantity: string
  /** What the quantity counts. Null if the treatment hasn't been read: then as long as it is the number of teeth. */
  counts: 'tooth' | 'piece' | 'once' | null
  /** The form has set the quantity to the number of teeth. */
  counted: boolean
  unit_price: string
  discount: TypedDiscount
  /** FDI codes. */
  teeth: string[]
  /** Text in the teeth's field that hasn't been read yet. */
  typed_teeth: string
  /** Letters such as "MO". */
  surfaces: string
  area: Area | null
  site: string
  /** For the patient. */
  note: string
  /** For the staff only. */
  notes: string
}
export interface BudgetForm {
  patient: { id: string, first_name: string, last_name: string } | null
  professional_id: string | null
  valid_until: string
  /** In the order of their sections: base lines first, then those of the options. */
  lines: FormLine[]
  /** The choices for the patient. */
  choices: FormChoice[]
  discount: TypedDiscount
  /** The clinic's own conditions that were chosen; null: those that are on by default. */
  clause_ids: string[] | null
  patient_notes: string
  internal_notes: string
}

/** A line with every field except the deprecated `tooth`. */
export type DraftLine = Required<Omit<ItemInput, 'tooth' | 'surfaces'>> & { surfaces: Surface[] }

/** The request with every field. The page adds whether prices include tax. */
export type BudgetDraft = Required<Omit<CreateRequest, 'items' | 'choices' | 'prices_include_tax' | 'external_ids'>> & {
  items: DraftLine[]
  /** Null if there are no choices. */
  choices: DraftChoice[] | null
}

const noDiscount = (): TypedDiscount => ({ type: 'percent', text: '' })

export const emptyForm = (patient: BudgetForm['patient'] = null): BudgetForm => ({
  patient,
  professional_id: null,
  valid_until: '',
  lines: [],
  choices: [],
  discount: noDiscount(),
  clause_ids: null,
  patient_notes: '',
  internal_notes: ''
})

interface NewTreatment {
  id: string
  code: string
  name: Record<string, string>
  unit_price: string
  vat: string
  counts?: FormLine['counts']
}

/** A line for a treatment at its catalog price, with one unit, or one for each tooth if it counts them. */
export const newLine = (
  { counts = 'tooth', ...treatment }: NewTreatment,
  language: string,
  { teeth = [], surfaces = '' }: { teeth?: string[], surfaces?: string } = {}
): FormLine => ({
  key: nextKey(),
  id: null,
  option: null,
  treatment_id: treatment.id,
  code: treatment.code,
  names: treatment.name,
  vat: treatment.vat,
  usual_price: treatment.unit_price,
  quantity: String(counts === 'tooth' ? Math.max(1, teeth.length) : 1),
  counts,
  counted: counts === 'tooth' && teeth.length > 1,
  unit_price: typedAmount(treatment.unit_price, language),
  discount: noDiscount(),
  teeth,
  typed_teeth: '',
  surfaces,
  area: null,
  site: '',
  note: '',
  notes: ''
})

/** Copies a line. The copy of a saved line has to be renewed, because the server accepts each saved line only once. */
export const copyOf = (line: FormLine): FormLine => ({
  ...line,
  discount: { ...line.discount },
  teeth: [...line.teeth],
  key: nextKey()
})

type StoredLine = BudgetDetail['items'][number]

export function formOf(detail: BudgetDetail, language: string): BudgetForm {
  const choices = choicesOfDetail(detail)
  const lineOf = (item: StoredLine, option: Section): FormLine => ({
    key: nextKey(),
    id: item.id,
    option,
    treatment_id: item.treatment_id,
    code: item.code,
    names: { [detail.locale]: item.name },
    vat: item.vat,
    usual_price: null,
    quantity: String(item.quantity),
    counts: null,
    counted: false,
    unit_price: typedAmount(item.unit_price, language),
    discount: typedDiscount(item.discount, language),
    teeth: [...item.teeth ?? []],
    typed_teeth: '',
    surfaces: (item.surfaces ?? []).join(''),
    area: item.area ?? null,
    site: item.site ?? '',
    note: item.note ?? '',
    notes: item.notes ?? ''
  })
  return {
    patient: detail.patient,
    professional_id: detail.professional_id,
    valid_until: detail.valid_until ?? '',
    lines: [
      ...detail.items.map(item => lineOf(item, null)),
      ...choices.flatMap(({ sections }, at) =>
        sections.flatMap(({ key }, index) =>
          detail.choices![at]!.options[index]!.items.map(item => lineOf(item, key))
        )
      )
    ],
    choices: choices.map(({ choice }) => choice),
    discount: typedDiscount(detail.global_discount, language),
    clause_ids: detail.clause_ids,
    patient_notes: detail.patient_notes ?? '',
    internal_notes: detail.internal_notes ?? ''
  }
}

/** The stored draft in the form of a request, to compare changes with. */
export const draftOf = (detail: BudgetDetail): BudgetDraft => ({
  patient_id: detail.patient_id,
  professional_id: detail.professional_id,
  valid_until: detail.valid_until,
  items: detail.items.map(storedItem),
  choices: detail.choices?.map(({ id, title, rule, options }) => ({
    id,
    title,
    rule,
    options: options.map(({ id, title, description, recommended, items }) => ({
      id,
      title,
      description,
      recommended,
      items: items.map(storedItem)
    }))
  })) ?? null,
  global_discount: detail.global_discount,
  clause_ids: detail.clause_ids,
  patient_notes: detail.patient_notes,
  internal_notes: detail.internal_notes
})

const storedItem = (
  { id, treatment_id, quantity, unit_price, discount, note, notes, ...place }: StoredLine
): DraftLine => ({
  id,
  treatment_id,
  quantity,
  unit_price,
  discount,
  ...placeOf(place),
  note: note ?? null,
  notes
})

/**
 * The request for the form's values. Text that can't be read is passed on unchanged: the contract's schema refuses it
 * and names the field.
 */
export const readForm = (form: BudgetForm, currency: string, notation: Notation = 'fdi'): BudgetDraft => ({
  patient_id: form.patient?.id ?? '',
  professional_id: form.professional_id,
  valid_until: form.valid_until || null,
  items: readLines(form, null, currency, notation),
  choices: form.choices.length === 0
    ? null
    : form.choices.map(({ id, title, rule, options }) => ({
        id,
        title: title.trim(),
        rule,
        options: options.map(option => ({
          id: option.id,
          title: option.title.trim(),
          description: orNull(option.description),
          recommended: option.recommended,
          items: readLines(form, option.key, currency, notation)
        }))
      })),
  global_discount: readDiscount(form.discount, currency),
  clause_ids: form.clause_ids,
  patient_notes: orNull(form.patient_notes),
  internal_notes: orNull(form.internal_notes)
})

const readLines = (form: BudgetForm, section: Section, currency: string, notation: Notation): DraftLine[] =>
  form.lines.filter(({ option }) => option === section).map(line => readLine(line, currency, notation))

export const readLine = (line: FormLine, currency: string, notation: Notation): DraftLine => ({
  id: line.id,
  treatment_id: line.treatment_id,
  quantity: readQuantity(line.quantity),
  unit_price: priceOf(line, currency),
  discount: readDiscount(line.discount, currency),
  teeth: [...line.teeth, ...teethIn(line.typed_teeth, notation)],
  surfaces: lettersIn(line.surfaces) as Surface[],
  area: line.area,
  site: orNull(line.site),
  note: orNull(line.note),
  notes: orNull(line.notes)
})

/** Converts words to FDI codes where possible. */
const teethIn = (typed: string, notation: Notation) => {
  const { teeth, rest } = readTeeth(typed.split(/[\s,;،؛]+/).filter(Boolean), notation)
  return [...teeth, ...rest]
}
const lettersIn = (typed: string) => [...typed.toUpperCase().replace(/[\s,;،؛./+-]+/g, '')]

const orNull = (text: string) => text.trim() || null
const UNREADABLE = '?'

const priceOf = ({ unit_price, usual_price }: FormLine, currency: string) =>
  unit_price.trim() === '' && usual_price !== null ? usual_price : readAmount(unit_price, currency) ?? UNREADABLE

function readDiscount({ type, text }: TypedDiscount, currency: string): DiscountInput | null {
  if (text.trim() === '') return null
  return { type, value: (type === 'percent' ? readPercent(text) : readAmount(text, currency)) ?? UNREADABLE }
}

export const typedDiscount = (discount: BudgetDetail['global_discount'], language: string): TypedDiscount =>
  discount ? { type: discount.type, text: typedAmount(discount.value, language) } : noDiscount()

/**
 * The fields whose text can't be read, checked while someone types. Keys are paths as in a request,
 * `items.0.unit_price`.
 */
export function unreadable(
  form: BudgetForm,
  currency: string,
  notation: Notation
): Map<string, 'amount' | 'percent' | 'quantity'> {
  const found = new Map<string, 'amount' | 'percent' | 'quantity'>()
  const check = (path: string, discount: DiscountInput | null | undefined) => {
    if (discount?.value === UNREADABLE) found.set(`${path}.value`, discount.type)
  }
  const paths = pathsOf(form.lines, form.choices)
  form.lines.forEach((line, index) => {
    const item = readLine(line, currency, notation)
    if (Number.isNaN(item.quantity)) found.set(`${paths[index]}.quantity`, 'quantity')
    if (item.unit_price === UNREADABLE) found.set(`${paths[index]}.unit_price`, 'amount')
    check(`${paths[index]}.discount`, item.discount)
  })
  check('global_discount', readDiscount(form.discount, currency))
  return found
}
