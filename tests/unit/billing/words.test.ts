import { describe, expect, test } from 'vitest'
import type budgetTexts from '../../../layers/budget/i18n/locales/en.json'
import type catalogTexts from '../../../layers/catalog/i18n/staff/en.json'
import { labelsFor } from '../../../layers/billing/server/pdf/labels.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

describe.each(LANGUAGES)('the PDF of an invoice, in %s', (locale) => {
  const labels = labelsFor(locale)
  const { catalog } = textsOf<typeof catalogTexts>('layers/catalog/i18n/staff', locale)
  const { budget } = textsOf<typeof budgetTexts>('layers/budget/i18n/locales', locale)

  test('calls the tax what the catalogue calls it', () => {
    expect(labels.vat).toBe(catalog.treatment.vat)
  })

  test('has the words of the budget that it comes from', () => {
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
