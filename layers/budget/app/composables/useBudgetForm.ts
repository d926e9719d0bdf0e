import { CreateRequest } from '../../shared/contract.ts'
import { pricesOf, type DraftPrices } from '../../shared/draft-prices.ts'
import { toothLabel } from '../../shared/domain/teeth.ts'
import { readForm, readLine, unreadable, type BudgetDraft, type BudgetForm } from '../utils/budget-form.ts'
import { pathsOf } from '../utils/budget-options.ts'

/**
 * What each line costs, for its price alone: a discount on everything moves all of them, and 200 lines need not be
 * drawn again for it.
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
  const illegible = computed(() => unreadable(form, currency(), toothNotation.value))
  const paths = computed(() => pathsOf(form.lines, form.choices))
  const isLegible = (index: number) =>
    ['quantity', 'unit_price', 'discount.value'].every(field => !illegible.value.has(`${paths.value[index]}.${field}`))

  /** Null while the global amount is more than all lines together. What cannot be read counts as not given. */
  const priced = computed(() => {
    const items = form.lines.map((line, index) => {
      const option_id = line.option === null ? null : String(line.option)
      if (!isLegible(index)) return { unit_price: '0', quantity: 1, vat: '0', discount: null, option_id }
      const { unit_price, quantity, discount } = readLine(line, currency(), toothNotation.value)
      return { unit_price: unit_price!, quantity: quantity ?? 1, vat: line.vat, discount, option_id }
    })
    return pricesOf(items, {
      global_discount: illegible.value.has('global_discount.value') ? null : draft.value.global_discount,
      currency: currency(),
      prices_include_tax: includesTax,
      choices: form.choices.map(choice => ({
        ...choice,
        id: String(choice.key),
        options: choice.options.map(option => ({ ...option, id: String(option.key) }))
      }))
    })
  })
  provide(
    LINE_PRICES,
    computed(() => form.lines.map((_, index) => (priced.value && isLegible(index) ? priced.value.items[index]! : null)))
  )
  /** Only what is sure. */
  const totals = computed(() =>
    illegible.value.size > 0 || !priced.value ? null : { ...priced.value.totals, to: priced.value.total_to }
  )

  const { errors, check } = useBudgetErrors({
    form,
    draft,
    illegible,
    exceeds: computed(() => priced.value === null),
    currency,
    refused
  })
  return { draft, totals, errors, check, paths }
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
 * Field → what is wrong with it; lines as `items.0.quantity`. Amounts are read at once, the rest from the first try to
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
    return Object.fromEntries((result.issues ?? []).map(({ path: parts, message }) => {
      const path = parts.join('.')
      return [path, optionMessage(path) ?? placeMessage(path) ?? message]
    }))
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
    ...(isPast.value ? { valid_until: t('budget.editor.past') } : {}),
    ...(tried.value ? lackingOptions() : {})
  }))
  /** What no schema says: a choice of exactly one needs two options. */
  const lackingOptions = () =>
    Object.fromEntries(form.choices.flatMap(({ rule, options }, at) =>
      rule === 'exactly_one' && options.length < 2 ? [[`choices.${at}.options`, t('budget.editor.two_options')]] : []
    ))
  const all = computed<Record<string, string>>(() => ({ ...ofServer.value, ...known.value }))
  const none = {}
  /** One and the same while nothing is wrong: nothing is drawn again for it. */
  const errors = computed(() => Object.keys(all.value).length > 0 ? all.value : none as Record<string, string>)

  /** A line that is gone is said where its treatment is. */
  const fieldOf = (path: string) => path.replace(/^(.*items\.\d+)\.id$/, '$1.treatment_id')

  function optionMessage(path: string): string | null {
    if (/options\.\d+\.items$/.test(path)) return t('budget.editor.option_empty')
    return path.endsWith('.options') ? t('budget.editor.two_options') : null
  }

  /** What the schema says of a line's place, in the page's language. */
  function placeMessage(path: string): string | null {
    const [, field] = /\.(teeth|surfaces|area)(?:\.\d+)?$/.exec(path) ?? []
    if (field === 'teeth') return t('budget.editor.tooth_wrong', { example: toothLabel('16', toothNotation.value) })
    if (field === 'surfaces') return t('budget.editor.surfaces_wrong')
    return field === 'area' ? t('budget.editor.place_wrong') : null
  }

  /** The server says these in English only. */
  function ownMessage(path: string): string | null {
    const ofOffer = optionMessage(path) ?? placeMessage(path)
    if (ofOffer) return ofOffer
    if (path.endsWith('.treatment_id')) return t('budget.editor.treatment_gone')
    if (path === 'items' || path.endsWith('.unit_price') || path.endsWith('discount.value'))
      return t('budget.editor.too_high')
    if (path === 'professional_id') return t('budget.editor.professional_gone')
    return path === 'valid_until' ? t('budget.editor.past') : null
  }

  /**
   * True when nothing is wrong that can be known here. What the server refused may be fixed elsewhere.
   */
  function check(): boolean {
    tried.value = true
    return Object.keys(known.value).length === 0
  }
  return { errors, check }
}
