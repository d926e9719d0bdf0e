import type { BudgetDetail, CreateRequest, DiscountInput, ItemInput } from '../../shared/contract.ts'
import { placeOf, readTooth, type Area, type Notation, type Surface } from '../../shared/domain/teeth.ts'

/** As it stands in the fields: amounts are text in the language of the page until they are read. */
export interface TypedDiscount { type: DiscountInput['type'], text: string }
export interface FormLine {
  /** Which line it is while it moves. */
  key: number
  /** Of the saved line; null of a new one. */
  id: string | null
  treatment_id: string
  code: string
  /** By language; of a saved line only the patient's. */
  names: Record<string, string>
  vat: string
  /** The catalog's price, taken when the field is empty; null for saved lines. */
  usual_price: string | null
  quantity: string
  unit_price: string
  discount: TypedDiscount
  /** FDI codes. */
  teeth: string[]
  /** What is in the field and not yet a tooth. */
  typed_teeth: string
  /** Letters. */
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
  lines: FormLine[]
  discount: TypedDiscount
  patient_notes: string
  internal_notes: string
}

/** A line with every field but the old one. */
type DraftLine = Required<Omit<ItemInput, 'tooth' | 'surfaces'>> & { surfaces: Surface[] }

/** What is sent, every field told; how its prices are typed is added by the page. */
export type BudgetDraft = Required<Omit<CreateRequest, 'items' | 'choices' | 'prices_include_tax'>>
  & { items: DraftLine[] }

let keys = 0
const nextKey = () => ++keys
const noDiscount = (): TypedDiscount => ({ type: 'percent', text: '' })

export const emptyForm = (patient: BudgetForm['patient'] = null): BudgetForm => ({
  patient,
  professional_id: null,
  valid_until: '',
  lines: [],
  discount: noDiscount(),
  patient_notes: '',
  internal_notes: ''
})

/** A line of the catalog at its usual price: once, or once for each tooth. */
export const newLine = (
  treatment: { id: string, code: string, name: Record<string, string>, unit_price: string, vat: string },
  language: string,
  { teeth = [], surfaces = '' }: { teeth?: string[], surfaces?: string } = {}
): FormLine => ({
  key: nextKey(),
  id: null,
  treatment_id: treatment.id,
  code: treatment.code,
  names: treatment.name,
  vat: treatment.vat,
  usual_price: treatment.unit_price,
  quantity: String(Math.max(1, teeth.length)),
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

/** The same once more. Of a saved line it is to be renewed: the server takes none of these twice. */
export const copyOf = (line: FormLine): FormLine => ({
  ...line,
  discount: { ...line.discount },
  teeth: [...line.teeth],
  key: nextKey()
})

export function formOf(detail: BudgetDetail, language: string): BudgetForm {
  return {
    patient: detail.patient,
    professional_id: detail.professional_id,
    valid_until: detail.valid_until ?? '',
    lines: detail.items.map(item => ({
      key: nextKey(),
      id: item.id,
      treatment_id: item.treatment_id,
      code: item.code,
      names: { [detail.locale]: item.name },
      vat: item.vat,
      usual_price: null,
      quantity: String(item.quantity),
      unit_price: typedAmount(item.unit_price, language),
      discount: typedDiscount(item.discount, language),
      teeth: [...item.teeth ?? []],
      typed_teeth: '',
      surfaces: (item.surfaces ?? []).join(''),
      area: item.area ?? null,
      site: item.site ?? '',
      note: item.note ?? '',
      notes: item.notes ?? ''
    })),
    discount: typedDiscount(detail.global_discount, language),
    patient_notes: detail.patient_notes ?? '',
    internal_notes: detail.internal_notes ?? ''
  }
}

/** The stored draft as it would be sent: what a change is held against. */
export const draftOf = (detail: BudgetDetail): BudgetDraft => ({
  patient_id: detail.patient_id,
  professional_id: detail.professional_id,
  valid_until: detail.valid_until,
  items: detail.items.map(({ id, treatment_id, quantity, unit_price, discount, note, notes, ...place }) => ({
    id,
    treatment_id,
    quantity,
    unit_price,
    discount,
    ...placeOf(place),
    note: note ?? null,
    notes
  })),
  global_discount: detail.global_discount,
  patient_notes: detail.patient_notes,
  internal_notes: detail.internal_notes
})

/**
 * What the fields say. What cannot be read goes as it was typed: the contract's schema refuses it and names the field.
 */
export const readForm = (form: BudgetForm, currency: string, notation: Notation = 'fdi'): BudgetDraft => ({
  patient_id: form.patient?.id ?? '',
  professional_id: form.professional_id,
  valid_until: form.valid_until || null,
  items: form.lines.map(line => ({
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
  })),
  global_discount: readDiscount(form.discount, currency),
  patient_notes: orNull(form.patient_notes),
  internal_notes: orNull(form.internal_notes)
})

/** Codes where they can be read. */
const teethIn = (typed: string, notation: Notation) =>
  typed.split(/[\s,;]+/).filter(Boolean).map(word => readTooth(word, notation) ?? word)
const lettersIn = (typed: string) => [...typed.toUpperCase().replace(/[\s,;./+-]+/g, '')]

const orNull = (text: string) => text.trim() || null
const UNREADABLE = '?'

const priceOf = ({ unit_price, usual_price }: FormLine, currency: string) =>
  unit_price.trim() === '' && usual_price !== null ? usual_price : readAmount(unit_price, currency) ?? UNREADABLE

function readDiscount({ type, text }: TypedDiscount, currency: string): DiscountInput | null {
  if (text.trim() === '') return null
  return { type, value: (type === 'percent' ? readPercent(text) : readAmount(text, currency)) ?? UNREADABLE }
}

const typedDiscount = (discount: BudgetDetail['global_discount'], language: string): TypedDiscount =>
  discount ? { type: discount.type, text: typedAmount(discount.value, language) } : noDiscount()

/**
 * Fields whose text cannot be read, told while somebody types: path → what is wrong. Paths as in a request,
 * `items.0.unit_price`.
 */
export function unreadable(draft: BudgetDraft): Map<string, 'amount' | 'percent' | 'quantity'> {
  const found = new Map<string, 'amount' | 'percent' | 'quantity'>()
  const check = (path: string, discount: DiscountInput | null | undefined) => {
    if (discount?.value === UNREADABLE) found.set(`${path}.value`, discount.type)
  }
  draft.items.forEach((item, index) => {
    if (Number.isNaN(item.quantity)) found.set(`items.${index}.quantity`, 'quantity')
    if (item.unit_price === UNREADABLE) found.set(`items.${index}.unit_price`, 'amount')
    check(`items.${index}.discount`, item.discount)
  })
  check('global_discount', draft.global_discount)
  return found
}
