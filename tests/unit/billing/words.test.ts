import { describe, expect, test } from 'vitest'
import type budgetTexts from '../../../layers/budget/i18n/locales/en.json'
import type catalogTexts from '../../../layers/catalog/i18n/staff/en.json'
import { labelsFor } from '../../../layers/billing/server/pdf/labels.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

describe.each(LANGUAGES)('the PDF of an invoice in %s', (locale) => {
  const labels = labelsFor(locale)
  const { catalog } = textsOf<typeof catalogTexts>('layers/catalog/i18n/staff', locale)
  const { budget } = textsOf<typeof budgetTexts>('layers/budget/i18n/locales', locale)

  test('uses the same word for the tax as the catalog', () => {
    expect(labels.vat).toBe(catalog.treatment.vat)
  })

  test('uses the same words as the budget', () => {
    const { patient, quantity, price, total } = budget.field
    expect([labels.patient, labels.treatment, labels.quantity, labels.price, labels.total]).toEqual([
      patient,
      budget.lines.treatment,
      quantity,
      price,
      total
    ])
  })
})
