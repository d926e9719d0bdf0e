import { expect, test } from 'vitest'
import type { DocumentChoice } from '../../../layers/budget/server/pdf/document.ts'
import { aDecision, aDocument, layOutBudget, someLines } from '../../support/documents/budget-document.ts'

const anOption = (title: string, price: bigint, more: Partial<DocumentChoice['options'][number]> = {}) => ({
  title,
  description: null,
  recommended: false,
  price,
  items: someLines(1, { name: `Lo de ${title}`, original_price: price, price }),
  is_chosen: false,
  ...more
})
const choices: DocumentChoice[] = [
  {
    title: 'La muela',
    rule: 'exactly_one',
    options: [
      anOption('Implante', 20_000n, { recommended: true, description: 'Dura más.', is_chosen: true }),
      anOption('Puente', 30_000n)
    ]
  },
  { title: 'Férula', rule: 'at_most_one', options: [anOption('Férula', 5_000n)] }
]
const wordsOf = (fields: Parameters<typeof aDocument>[0]) =>
  layOutBudget(aDocument(fields)).pages.flat().flatMap(mark => mark.kind === 'text' ? [mark.text] : [])

test('the unsigned PDF shows the base, each choice with its options, and the range of the total', () => {
  const words = wordsOf({ choices, range: { from: 30_000n, to: 45_000n, discount: null } })
  expect(words).toEqual(expect.arrayContaining([
    'Siempre incluido',
    'La muela',
    'Elija una opción.',
    'Implante',
    'Recomendado por su clínica',
    'Dura más.',
    'Lo de Implante',
    '200,00\u00A0€',
    'Férula',
    'Opcional: márquelo si lo desea.',
    'de 300,00\u00A0€ a 450,00\u00A0€',
    'El total depende de lo que elija.'
  ]))
  expect(words).not.toContain('Propuesto y no elegido')
})

const base = someLines(1, { name: 'Limpieza' })
const implant = someLines(1, { name: 'Lo de Implante', price: 19_000n, original_price: 20_000n })

test.each([
  ['the signed PDF', aDecision()],
  ['the unsigned PDF of an accepted version', null]
])('%s shows each chosen line below its choice and option, then the options that were not chosen', (_, decision) => {
  const words = wordsOf({ choices, items: [...base, ...implant], status: 'accepted', decision })
  const order = [
    'Limpieza',
    'La muela',
    'Implante',
    'Lo de Implante',
    '190,00\u00A0€',
    'Férula',
    'Nada',
    'Total',
    'Propuesto y no elegido',
    'Puente',
    'Lo de Puente'
  ]
  expect(words.filter((word, at) => order.includes(word) && words.indexOf(word) === at)).toEqual(order)
  for (const text of ['Siempre incluido', 'Elija una opción.']) expect(words).not.toContain(text)
})

test('the lines of an option at the end of a page stay below the option\'s title', () => {
  const lines = someLines(40, { name: 'Sesión' })
  const long = [{ ...choices[0]!, options: [anOption('Implante', 1n, { is_chosen: true, items: lines }), anOption('Puente', 1n)] }]
  for (let count = 1; count < 40; count += 1) {
    const { pages } = layOutBudget(aDocument({
      choices: long,
      items: [...someLines(count), ...lines],
      status: 'accepted',
      decision: aDecision()
    }))
    const texts = pages.map(marks => marks.flatMap(mark => mark.kind === 'text' ? [mark.text] : []))
    const page = texts.find(words => words.includes('Implante'))!
    expect(page.indexOf('Sesión', page.indexOf('Implante'))).toBeGreaterThan(0)
  }
})

test('a PDF without choices has no text about choices', () => {
  const words = wordsOf({})
  expect(words).not.toContain('Siempre incluido')
  expect(words).not.toContain('Propuesto y no elegido')
})

test('a PDF of choices without a base has no table for a base', () => {
  expect(wordsOf({ items: [], choices, range: { from: 20_000n, to: 35_000n, discount: null } })).not.toContain('Cantidad')
})

test.each([
  [{ type: 'percent', value: 750n } as const, '7,5\u00A0%'],
  [{ type: 'amount', value: 3_000n } as const, '30,00\u00A0€']
])('the unsigned PDF shows the discount that the totals include: %o', (discount, text) => {
  expect(wordsOf({ choices, range: { from: 30_000n, to: 45_000n, discount } }))
    .toEqual(expect.arrayContaining(['Descuento sobre el total', text]))
})
