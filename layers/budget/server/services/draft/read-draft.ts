import { randomUUID } from 'node:crypto'
import { problem, type Clinic, type Ctx } from '@svc/kit'
import { convertPrice, parseMoney } from '@svc/kit/money'
import type { PricedTreatment } from '@svc/kit/modules/catalog'
import { MAX_ITEMS, type ChoiceInput, type ItemInput } from '../../../shared/contract.ts'
import {
  readDiscount,
  storedDiscount,
  type WireDiscount
} from '../../../shared/domain/discount.ts'
import { keptLines } from '../../../shared/domain/kept-lines.ts'
import { readPlace } from '../../../shared/domain/place-input.ts'
import type { Discount } from '../../../shared/domain/pricing.ts'
import type { Choice } from '../../../shared/domain/selection.ts'
import type { NewBudget } from '../../db/budgets.ts'
import type { ItemPrices, ItemRow, PricedItem } from '../../db/items.ts'
import { findTreatments } from '../budget/dependencies.ts'
import { placeColumns, shownPlace } from '../budget/place.ts'
import { createFieldErrors, type FieldErrors } from './field-errors.ts'
import { readColumns, type ColumnsInput } from './read-columns.ts'

/** Input of the staff: undefined means omitted, null clears. */
export interface DraftInput extends ColumnsInput {
  items?: ItemInput[]
  choices?: ChoiceInput[] | null
  global_discount?: WireDiscount | null
}

/** A parsed line without prices. */
export type UnpricedItem = Omit<PricedItem, keyof ItemPrices | 'option_id'> & { option_id: string | null }
/** Columns to set, lines without prices, and the global discount; undefined if omitted. */
export interface ReadDraft {
  columns: Partial<NewBudget>
  /** The lines that are part of every selection. */
  items: UnpricedItem[] | undefined
  /** Null: there is nothing to choose. */
  choices: Choice[] | null | undefined
  /** The lines of the choices' options, in order; undefined if the choices were omitted. */
  option_items: UnpricedItem[] | undefined
  global_discount: Discount | null | undefined
}

/** In minor units. Even with the maximum lines, quantity and tax, every sum fits into a bigint column. */
const MAX_PRICE = 1_000_000_000_000n

/**
 * Checks what no schema can: ids with the modules that own them, money with the currency, and the validity with today.
 * Throws `validation_failed` with every invalid field. Runs before the transaction, because it uses other connections:
 * a transaction that waits for one of these could wait for itself. `stored`: the draft's lines, which keep their
 * catalog data from when they were added. `stored_clause_ids`: the draft's choice, which may name conditions that the
 * clinic has removed since. `prices_include_tax`: the draft's mode.
 */
export async function readDraft(
  ctx: Ctx,
  clinic: Clinic,
  { input, stored, stored_choices, stored_clause_ids, prices_include_tax }: {
    input: DraftInput
    stored: readonly ItemRow[]
    stored_choices: Choice[] | null
    stored_clause_ids: readonly string[] | null
    prices_include_tax: boolean
  }
): Promise<ReadDraft> {
  const errors = createFieldErrors()
  const columns = await readColumns(ctx, clinic, { input, stored_clause_ids, errors })
  const offer = readChoices(input.choices, stored_choices, errors)
  const wanted = [...(input.items ?? []).map(baseLine), ...offer?.lines ?? []]
  if (wanted.length > MAX_ITEMS) errors.add('/choices', TOO_MANY)
  const lines = await readItems(ctx, clinic, { wanted, stored, prices_include_tax, errors })
  const global_discount
    = input.global_discount && readAmount(input.global_discount, clinic.currency, '/global_discount/value', errors)
  errors.throwAny()
  if (global_discount !== undefined) Object.assign(columns, storedDiscount(global_discount))
  return {
    columns,
    items: input.items && lines.filter(({ option_id }) => option_id === null),
    choices: offer && (offer.choices.length > 0 ? offer.choices : null),
    option_items: offer && lines.filter(({ option_id }) => option_id !== null),
    global_discount
  }
}

const TOO_MANY = `A budget has at most ${MAX_ITEMS} treatments, options included.`

/** Also counts lines that a change does not touch. `pointer`: the field that was sent. Throws `validation_failed`. */
export function assertLineLimit(lines: readonly unknown[], pointer: '/items' | '/choices'): void {
  if (lines.length > MAX_ITEMS) throw problem('validation_failed', { errors: [{ pointer, message: TOO_MANY }] })
}

/** A line as sent, and its position in the request. */
interface LineInput { item: ItemInput, option_id: string | null, pointer: string }

const baseLine = (item: ItemInput, index: number): LineInput => ({ item, option_id: null, pointer: `/items/${index}` })

/**
 * Choices with their ids, and the lines of their options in order. Undefined if the choices were omitted. An id must
 * belong to a choice or option of the same draft, and may occur only once.
 */
function readChoices(
  input: ChoiceInput[] | null | undefined,
  stored: Choice[] | null,
  errors: FieldErrors
): { choices: Choice[], lines: LineInput[] } | undefined {
  if (input === undefined) return undefined
  const choiceId = takeIds((stored ?? []).map(({ id }) => id), errors)
  const optionId = takeIds((stored ?? []).flatMap(({ options }) => options.map(({ id }) => id)), errors)
  const lines: LineInput[] = []
  const choices = (input ?? []).map(({ id, title, rule, options }, at) => {
    const pointer = `/choices/${at}`
    if (rule === 'exactly_one' && options.length < 2)
      errors.add(`${pointer}/options`, 'A choice of exactly one needs at least two options.')
    if (options.filter(({ recommended }) => recommended).length > 1)
      errors.add(`${pointer}/options`, 'At most one option of a choice can be recommended.')
    return {
      id: choiceId(id, `${pointer}/id`),
      title,
      rule,
      options: options.map((option, place) => {
        const here = `${pointer}/options/${place}`
        const option_id = optionId(option.id, `${here}/id`)
        lines.push(
          ...option.items.map((item, index) => ({ item, option_id, pointer: `${here}/items/${index}` }))
        )
        return {
          id: option_id,
          title: option.title,
          description: option.description ?? null,
          recommended: option.recommended
        }
      })
    }
  })
  return { choices, lines }
}

/** Returns the sent id if the draft has it and nothing else uses it, otherwise a new one. */
function takeIds(stored: string[], errors: FieldErrors) {
  const free = new Set(stored)
  return (id: string | null | undefined, pointer: string): string => {
    if (id == null) return randomUUID()
    if (!free.delete(id))
      errors.add(pointer, 'This draft has no choice or option with this id, or the id is listed twice.')
    return id
  }
}

interface Lines {
  wanted: LineInput[]
  stored: readonly ItemRow[]
  prices_include_tax: boolean
  errors: FieldErrors
}

/** Only new lines need a treatment that is still offered. */
async function readItems(
  ctx: Ctx,
  clinic: Clinic,
  { wanted, stored, prices_include_tax, errors }: Lines
): Promise<UnpricedItem[]> {
  const kept = keptLines(
    wanted.map(({ item }) => ({ ...item, ...readPlace(item).place })),
    stored.map(row => ({ ...row, ...shownPlace(row) }))
  )
  const ids = [...new Set(wanted.filter((_, index) => !kept[index]).map(({ item }) => item.treatment_id))]
  const treatments = new Map(
    (ids.length > 0 ? await findTreatments(ctx, clinic.id, ids) : []).map(treatment => [treatment.id, treatment])
  )
  return wanted.flatMap(({ item, option_id, pointer }, index) => {
    if (item.id && !kept[index])
      errors.add(`${pointer}/id`, 'The draft no longer has this line, or it is listed twice.')
    const [old, treatment] = [kept[index], treatments.get(item.treatment_id)]
    const copy = old ? fromLine(old) : treatment?.active ? fromCatalog(treatment, prices_include_tax) : null
    if (copy)
      return [{ ...readItem(item, copy, { currency: clinic.currency, pointer, errors }), option_id }]
    errors.add(
      `${pointer}/treatment_id`,
      treatment ? 'This treatment is not offered any more.' : 'There is no such treatment.'
    )
    return []
  })
}

/** The line's own copy of the treatment, so that later changes of the catalog change no budget. */
type Copy = Pick<UnpricedItem, 'id' | 'treatment_id' | 'code' | 'name' | 'description' | 'unit_price' | 'vat'>

function fromCatalog(
  { id, code, name, description, unit_price, vat, prices_include_tax }: PricedTreatment,
  to_include_tax: boolean
): Copy {
  const isAsHere = prices_include_tax === to_include_tax
  return {
    treatment_id: id,
    code,
    name,
    description,
    unit_price: isAsHere ? unit_price : convertPrice(unit_price, { vat, to_include_tax }),
    vat: Number(vat)
  }
}

const fromLine = ({ id, treatment_id, code, name, description, unit_price, vat }: Omit<ItemRow, 'surfaces'>): Copy => ({
  id,
  treatment_id,
  code,
  name,
  description,
  unit_price,
  vat
})

function readItem(
  item: ItemInput,
  copy: Copy,
  { currency, pointer, errors }: { currency: string, pointer: string, errors: FieldErrors }
): Omit<UnpricedItem, 'option_id'> {
  const unit_price = item.unit_price == null ? copy.unit_price : parseMoney(item.unit_price, currency)
  if (unit_price === null) errors.add(`${pointer}/unit_price`, `Has more decimals than ${currency}.`)
  else if (unit_price > MAX_PRICE) errors.add(`${pointer}/unit_price`, 'This price is too high.')
  const { place } = readPlace(item)
  return {
    ...copy,
    unit_price: unit_price ?? 0n,
    quantity: item.quantity ?? Math.max(1, place.teeth.length),
    discount: item.discount ? readAmount(item.discount, currency, `${pointer}/discount/value`, errors) : null,
    ...placeColumns(place),
    note: item.note ?? null,
    notes: item.notes ?? null
  }
}

function readAmount(wire: WireDiscount, currency: string, pointer: string, errors: FieldErrors): Discount | null {
  const discount = readDiscount(wire, currency)
  if (!discount) errors.add(pointer, `Has more decimals than ${currency}.`)
  else if (discount.value > MAX_PRICE * 1000n) errors.add(pointer, 'This amount is too high.')
  return discount
}
