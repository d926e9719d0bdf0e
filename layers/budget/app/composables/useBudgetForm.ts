import { CreateRequest } from '../../shared/contract.ts'
import { pricesOf, type DraftPrices } from '../../shared/draft-prices.ts'
import { toothLabel } from '../../shared/domain/teeth.ts'
import { readForm, unreadable, type BudgetDraft, type BudgetForm } from '../utils/budget-form.ts'

/**
 * What each line costs, for its price alone: a discount on everything moves all of them, and 200 lines need not be
 * drawn anew for it.
 */
export const LINE_PRICES = Symbol('prices of the lines') as InjectionKey<
  ComputedRef<(DraftPrices['items'][number] | null)[]>
>

/** Whether the prices of the budget that is written are typed with tax. */
export const PRICES_INCLUDE_TAX = Symbol('how prices are typed') as InjectionKey<boolean>

/**
 * What is typed of a budget: what would be sent, what it costs as it stands, and what is wrong with it. `refused` is
 * what the server found wrong.
 */
export function useBudgetForm(
  form: BudgetForm,
  { currency, includesTax, refused }: { currency: () => string, includesTax: boolean, refused: () => ApiError | null }
) {
  provide(PRICES_INCLUDE_TAX, includesTax)
  const { toothNotation } = useSession()
  const draft = computed<BudgetDraft>(() => readForm(form, currency(), toothNotation.value))
  const illegible = computed(() => unreadable(draft.value))
  const isLegible = (index: number) =>
    ['quantity', 'unit_price', 'discount.value'].every(field => !illegible.value.has(`items.${index}.${field}`))

  /** Null while the global amount is more than all lines together. What cannot be read counts as not given. */
  const priced = computed(() => {
    const items = draft.value.items.map((item, index) =>
      isLegible(index)
        ? {
            unit_price: item.unit_price!,
            quantity: item.quantity ?? 1,
            vat: form.lines[index]!.vat,
            discount: item.discount ?? null
          }
        : { unit_price: '0', quantity: 1, vat: '0', discount: null }
    )
    return pricesOf(
      items,
      illegible.value.has('global_discount.value') ? null : (draft.value.global_discount ?? null),
      currency(),
      includesTax
    )
  })
  provide(
    LINE_PRICES,
    computed(() => form.lines.map((_, index) => (priced.value && isLegible(index) ? priced.value.items[index]! : null)))
  )
  /** Only what is sure. */
  const totals = computed(() => illegible.value.size > 0 ? null : priced.value?.totals ?? null)

  const { errors, check } = useBudgetErrors({
    form,
    draft,
    illegible,
    exceeds: computed(() => priced.value === null),
    currency,
    refused
  })
  return { draft, totals, errors, check }
}

interface Judged {
  form: BudgetForm
  draft: ComputedRef<BudgetDraft>
  illegible: ComputedRef<ReturnType<typeof unreadable>>
  exceeds: ComputedRef<boolean>
  currency: () => string
  refused: () => ApiError | null
}

/**
 * Field → what is wrong with it; lines as `items.0.quantity`. Amounts are told at once, the rest from the first try to
 * save on.
 */
function useBudgetErrors({ form, draft, illegible, exceeds, currency, refused }: Judged) {
  const { t } = useI18n()
  const { today } = useFormat()
  const { toothNotation } = useSession()
  const { schema, errorsFrom } = useFormSchema(CreateRequest, () => draft.value)
  const tried = ref(false)
  const ofServer = shallowRef<Record<string, string>>({})
  watch(
    refused,
    error =>
      (ofServer.value = Object.fromEntries(
        (error ? errorsFrom(error) : []).map(({ name, message }) => [
          fieldOf(name),
          ownMessage(fieldOf(name)) ?? message
        ])
      ))
  )
  watch(draft, () => ofServer.value = {})

  const ofSchema = computed<Record<string, string>>(() => {
    if (!tried.value) return {}
    const result = schema['~standard'].validate(draft.value) as {
      issues?: { path: readonly PropertyKey[], message: string }[]
    }
    return Object.fromEntries((result.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      placeMessage(path.join('.')) ?? message
    ]))
  })
  const isPast = computed(() => form.valid_until !== '' && form.valid_until < today())

  const known = computed<Record<string, string>>(() => ({
    ...ofSchema.value,
    ...Object.fromEntries(
      [...illegible.value].map(([path, wrong]) => [
        path,
        wrong === 'quantity' ? t('budget.editor.quantity_wrong') : t(`field.${wrong}`, { currency: currency() })
      ])
    ),
    ...(exceeds.value ? { 'global_discount.value': t('budget.editor.exceeds') } : {}),
    ...(isPast.value ? { valid_until: t('budget.editor.past') } : {})
  }))
  const all = computed<Record<string, string>>(() => ({ ...ofServer.value, ...known.value }))
  const none = {}
  /** One and the same while nothing is wrong: nothing is drawn anew for it. */
  const errors = computed(() => Object.keys(all.value).length > 0 ? all.value : none as Record<string, string>)

  /** A line that is gone is said where its treatment is. */
  const fieldOf = (path: string) => path.replace(/^(items\.\d+)\.id$/, '$1.treatment_id')

  /** What the schema says of a line's place, in the page's language. */
  function placeMessage(path: string): string | null {
    const [, field] = /\.(teeth|surfaces|area)(?:\.\d+)?$/.exec(path) ?? []
    if (field === 'teeth') return t('budget.editor.tooth_wrong', { example: toothLabel('16', toothNotation.value) })
    if (field === 'surfaces') return t('budget.editor.surfaces_wrong')
    return field === 'area' ? t('budget.editor.place_wrong') : null
  }

  /** The server says these in English only. */
  function ownMessage(path: string): string | null {
    const ofPlace = placeMessage(path)
    if (ofPlace) return ofPlace
    if (path.endsWith('.treatment_id')) return t('budget.editor.treatment_gone')
    if (path === 'items' || path.endsWith('.unit_price') || path.endsWith('discount.value'))
      return t('budget.editor.too_high')
    if (path === 'professional_id') return t('budget.editor.professional_gone')
    return path === 'valid_until' ? t('budget.editor.past') : null
  }

  /**
   * True when nothing is wrong that can be known here. What the server refused may be mended elsewhere: it judges anew.
   */
  function check(): boolean {
    tried.value = true
    return Object.keys(known.value).length === 0
  }
  return { errors, check }
}
