import { describe, expect, test } from 'vitest'
import type budgetTexts from '../../../layers/budget/i18n/locales/en.json'
import type staffTexts from '../../../layers/billing/i18n/staff/en.json'
import { labelsFor } from '../../../layers/billing/server/pdf/labels.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

describe.each(LANGUAGES)('the PDF of an invoice, in %s', (locale) => {
  const labels = labelsFor(locale)
  const { line, invoice, status } = textsOf<typeof staffTexts>('layers/billing/i18n/staff', locale).billing
  const { budget } = textsOf<typeof budgetTexts>('layers/budget/i18n/locales', locale)

  test('has the words of its screen', () => {
    expect([labels.treatment, labels.quantity, labels.vat, labels.price]).toEqual([
      line.treatment,
      line.quantity,
      line.vat,
      line.price
    ])
    expect([labels.patient, labels.total, labels.paid, labels.due]).toEqual([
      invoice.patient,
      invoice.total,
      invoice.paid,
      invoice.due
    ])
    expect(labels.status).toEqual(status)
  })

  test('has the words of the budget that it comes from', () => {
    expect([labels.treatment, labels.quantity, labels.price, labels.total]).toEqual([
      budget.lines.treatment,
      budget.lines.quantity,
      budget.lines.price,
      budget.total.total
    ])
  })
})
