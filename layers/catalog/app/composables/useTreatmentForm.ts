import { LANGUAGES, TreatmentRequest, type Treatment } from '../../shared/contract.ts'

/** The content of the form. The page adds whether prices include tax. */
export type TreatmentDraft = Omit<TreatmentRequest, 'prices_include_tax'>

/** The state of a treatment's form, as texts, and the request made from it. */
export function useTreatmentForm(known: Treatment | undefined) {
  const { t } = useI18n()
  const { language } = useFormat()
  const { me } = useSession()
  const currency = me.value?.clinic?.currency ?? 'EUR'
  const main = LANGUAGES.find(code => me.value?.clinic?.locale.startsWith(code)) ?? 'en'
  const inEach = (texts: Record<string, string> = {}) =>
    Object.fromEntries(LANGUAGES.map(code => [code, texts[code] ?? ''])) as Record<(typeof LANGUAGES)[number], string>

  const form = reactive({
    code: known?.code ?? '',
    name: inEach(known?.name),
    description: inEach(known?.description),
    /** A select can't have an empty value. */
    category: known?.category ?? 'none',
    unit_price: known ? typedAmount(known.unit_price, language.value) : '',
    vat: known ? typedAmount(known.vat, language.value) : '',
    counts: known?.counts ?? 'tooth',
    surfaces: known?.surfaces ? String(known.surfaces) : 'none'
  })

  const written = (texts: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(texts)
        .map(([code, text]) => [code, text.trim()])
        .filter(([, text]) => text !== '')
    )
  const toRequest = () => ({
    code: form.code.trim(),
    name: written(form.name),
    description: written(form.description),
    category: form.category === 'none' ? null : form.category,
    unit_price: readAmount(form.unit_price, currency) ?? form.unit_price.trim(),
    vat: readPercent(form.vat) ?? form.vat.trim(),
    counts: form.counts,
    surfaces: form.surfaces === 'none' ? null : Number(form.surfaces)
  })
  function tidyPercent() {
    const percent = readPercent(form.vat)
    if (percent !== null) form.vat = typedAmount(percent, language.value)
  }
  const { schema, errorsFrom } = useFormSchema(TreatmentRequest, toRequest, () => ({
    code: t('staff.import.wrong.code'),
    name: t('field.required'),
    unit_price: t('field.amount', { currency }),
    vat: t('field.percent')
  }))
  return {
    form,
    main,
    others: LANGUAGES.filter(code => code !== main),
    currency,
    schema,
    errorsFrom,
    toRequest: (): TreatmentDraft => TreatmentRequest.omit({ prices_include_tax: true }).parse(toRequest()),
    draft: toRequest,
    tidyPercent
  }
}
