import { CreateRequest } from '../../shared/contract.ts'
import { pricesOf, type DraftPrices } from '../../shared/draft-prices.ts'
import { toothLabel } from '../../shared/domain/teeth.ts'
import { readForm, readLine, unreadable, type BudgetDraft, type BudgetForm } from '../utils/budget-form.ts'
import { pathsOf } from '../utils/budget-options.ts'

/**
 * The prices of the lines, for the components that show them: a discount on the total changes all prices, but the 200
 * lines themselves need not be rendered again.
 */
export const LINE_PRICES = Symbol('prices of the lines') as InjectionKey<
  ComputedRef<(DraftPrices['items'][number] | null)[]>
>

/** Whether prices are typed with tax in this budget. */
export const PRICES_INCLUDE_TAX = Symbol('how prices are typed') as InjectionKey<boolean>

/** The state of a budget's form: the request, the prices and the errors. `refused` is the server's error. */
export function useBudgetForm(
  form: BudgetForm,
  { currency, includesTax, refused }: { currency: () => string, includesTax: boolean, refused: () => ApiError | null }
) {
  provide(PRICES_INCLUDE_TAX, includesTax)
  const toothNotation = useToothNotation()
  const draft = computed<BudgetDraft>(() => readForm(form, currency(), toothNotation.value))
  const illegible = computed(() => unreadable(form, currency(), toothNotation.value))
  const paths = computed(() => pathsOf(form.lines, form.choices))
  const isLegible = (index: number) =>
    ['quantity', 'unit_price', 'discount.value'].every(field => !illegible.value.has(`${paths.value[index]}.${field}`))

  /**
   * Null while the discount on the total exceeds the sum of the lines, or of the cheapest selection. Values that can't
   * be read count as missing.
   */
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
  /**
   * While an amount can't be read, or the discount is too high, the last sums before that, so that they don't vanish
   * while someone types. Null if there were none.
   */
  type Totals = DraftPrices['totals'] & { to: string | null, isOld: boolean }
  const totals = computed<Totals | null>(before =>
    illegible.value.size === 0 && priced.value
      ? { ...priced.value.totals, to: priced.value.total_to, isOld: false }
      : before ? { ...before, isOld: true } : null
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

interface CheckedForm {
  form: BudgetForm
  draft: ComputedRef<BudgetDraft>
  illegible: ComputedRef<ReturnType<typeof unreadable>>
  exceeds: ComputedRef<boolean>
  currency: () => string
  refused: () => ApiError | null
}

/**
 * Errors by field, such as `items.0.quantity`. Amounts are checked at once, everything else from the first attempt to
 * save.
 */
function useBudgetErrors({ form, draft, illegible, exceeds, currency, refused }: CheckedForm) {
  const { t } = useI18n()
  const { today } = useFormat()
  const toothNotation = useToothNotation()
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
        wrong === 'quantity' ? t('catalog.set.quantity_wrong') : t(`field.${wrong}`, { currency: currency() })
      ])
    ),
    ...(exceeds.value ? { 'global_discount.value': t('budget.editor.exceeds') } : {}),
    ...(isPast.value ? { valid_until: t('budget.editor.past') } : {}),
    ...(tried.value ? lackingOptions() : {})
  }))
  /** An error that the schema doesn't cover: a choice of exactly one needs two options. */
  const lackingOptions = () =>
    Object.fromEntries(form.choices.flatMap(({ rule, options }, at) =>
      rule === 'exactly_one' && options.length < 2 ? [[`choices.${at}.options`, t('budget.editor.two_options')]] : []
    ))
  const all = computed<Record<string, string>>(() => ({ ...ofServer.value, ...known.value }))
  const none = {}
  /** Always the same object while there are no errors, so that nothing is rendered again. */
  const errors = computed(() => Object.keys(all.value).length > 0 ? all.value : none as Record<string, string>)

  /** The error of a removed line is shown at its treatment. */
  const fieldOf = (path: string) => path.replace(/^(.*items\.\d+)\.id$/, '$1.treatment_id')

  function optionMessage(path: string): string | null {
    if (/options\.\d+\.items$/.test(path)) return t('budget.editor.option_empty')
    return path.endsWith('.options') ? t('budget.editor.two_options') : null
  }

  /** The message for the schema's error about a line's place, in the page's language. */
  function placeMessage(path: string): string | null {
    const [, field] = /\.(teeth|surfaces|area)(?:\.\d+)?$/.exec(path) ?? []
    if (field === 'teeth') return t('budget.editor.tooth_wrong', { example: toothLabel('16', toothNotation.value) })
    if (field === 'surfaces') return t('budget.editor.surfaces_wrong')
    return field === 'area' ? t('budget.editor.place_wrong') : null
  }

  /** Translations of messages that the server has only in English. */
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
   * Whether the form has no errors that can be found here. The server's errors are ignored, since their cause may have
   * been fixed elsewhere.
   */
  function check(): boolean {
    tried.value = true
    return Object.keys(known.value).length === 0
  }
  return { errors, check }
}
