import { displayPercent } from '@svc/kit/locale'
import { expect, test } from 'vitest'
import { clauseTexts } from '../../../layers/payments/server/services/deposits/texts.ts'

test('On acceptance a deposit of 30 % of the accepted total is due: €246.24', () => {
  expect(clauseTexts('en').percent(displayPercent(3000n, 'en'), '€246.24'))
    .toBe('On acceptance a deposit of 30 % of the accepted total is due: €246.24')
  expect(clauseTexts('de-AT').percentOnly(displayPercent(3333n, 'de-AT')))
    .toMatch(/^Bei Annahme ist eine Anzahlung von 33,33\s% der angenommenen Summe fällig$/)
})

test.each([
  ['en', 1, 'Please pay it within 1 day of acceptance.'],
  ['en', 7, 'Please pay it within 7 days of acceptance.'],
  ['es', 1, 'Páguelo en un plazo de 1 día desde la aceptación.'],
  ['es', 7, 'Páguelo en un plazo de 7 días desde la aceptación.'],
  ['fr', 1, 'Merci de le régler dans un délai de 1 jour après l’acceptation.'],
  ['fr', 7, 'Merci de le régler dans un délai de 7 jours après l’acceptation.'],
  ['de', 1, 'Bitte zahlen Sie sie innerhalb eines Tages nach der Annahme.'],
  ['de', 7, 'Bitte zahlen Sie sie innerhalb von 7 Tagen nach der Annahme.'],
  ['pt', 1, 'Pague-o no prazo de 1 dia após a aceitação.'],
  ['pt', 7, 'Pague-o no prazo de 7 dias após a aceitação.'],
  ['ar', 1, 'يُرجى دفعها خلال يوم واحد من القبول.'],
  ['ar', 2, 'يُرجى دفعها خلال يومين من القبول.'],
  ['ar', 7, 'يُرجى دفعها خلال 7 أيام من القبول.'],
  ['ar', 30, 'يُرجى دفعها خلال 30 يومًا من القبول.'],
  ['ar', 100, 'يُرجى دفعها خلال 100 يوم من القبول.']
])('the condition has the time to pay: in %s %i days', (locale, days, text) => {
  expect(clauseTexts(locale).within(days)).toBe(text)
})
