import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { translateErrors } from '../../../app/utils/errors-csv.ts'
import { OUTCOMES, toErrorsCsv } from '../../../server/core/imports/errors-csv.ts'
import { WRONG } from '@svc/kit/cells'

const texts = new Map([
  [WRONG.email, 'Keine E-Mail-Adresse.'],
  [WRONG.code, 'Nur Buchstaben, Ziffern und „/“, "kurz".'],
  [OUTCOMES.wrong, 'Zeile ausgelassen'],
  [OUTCOMES.lost, 'Ohne diesen Wert importiert'],
  [OUTCOMES.notes, 'Importiert']
])

interface Said { line: number, column: string, message: string, value: string }
const listOf = (...batches: { wrong?: Said[], lost?: Said[], notes?: Said[] }[]) =>
  toErrorsCsv(Readable.from(batches.map(({ wrong = [], lost = [], notes = [] }) =>
    ({ rows: wrong, wrong: wrong.map(({ value }) => value), lost, notes, renamed: [] }))))

const HEAD = ['Zeile', 'Spalte', 'Wert', 'Problem', 'Ergebnis']

test('the list of errors is in the language of the page, and keeps lines, columns and values unchanged', async () => {
  const csv = await listOf({
    wrong: [
      { line: 3, column: 'E-Mail', message: WRONG.email, value: 'ana@' },
      { line: 12, column: 'Code, kurz', message: WRONG.code, value: '=1+1' },
      { line: 14, column: 'two\r\nlines', message: WRONG.email, value: 'a\r\nb' }
    ]
  })
  expect(translateErrors(csv, HEAD, texts)).toBe(
    '\uFEFFZeile,Spalte,Wert,Problem,Ergebnis\r\n'
    + '3,E-Mail,ana@,Keine E-Mail-Adresse.,Zeile ausgelassen\r\n'
    + '12,"Code, kurz",\'=1+1,"Nur Buchstaben, Ziffern und „/“, ""kurz"".",Zeile ausgelassen\r\n'
    + '14,"two\r\nlines","a\r\nb",Keine E-Mail-Adresse.,Zeile ausgelassen\r\n'
  )
})

test('the list of errors has ignored values and interpreted cells in the order of the lines', async () => {
  const csv = await listOf(
    {
      wrong: [{ line: 9, column: 'Name', message: 'No name.', value: '' }],
      lost: [{ line: 4, column: 'E-Mail', message: WRONG.email, value: 'none' }],
      notes: [{ line: 6, column: 'Geb.', message: 'Read as 1985-04-03.', value: '3.4.1985' }]
    },
    { lost: [{ line: 600, column: 'E-Mail', message: WRONG.email, value: 'x' }] }
  )
  expect(translateErrors(csv, HEAD, texts).split('\r\n').slice(1)).toEqual([
    '4,E-Mail,none,Keine E-Mail-Adresse.,Ohne diesen Wert importiert',
    '6,Geb.,3.4.1985,Read as 1985-04-03.,Importiert',
    '9,Name,,No name.,Zeile ausgelassen',
    '600,E-Mail,x,Keine E-Mail-Adresse.,Ohne diesen Wert importiert',
    ''
  ])
})

test('the list of errors keeps a sentence that it cannot translate', async () => {
  const csv = await listOf({ wrong: [{ line: 2, column: '', message: 'Own sentence, of a module.', value: '' }] })
  expect(translateErrors(csv, ['a', 'b', 'c', 'd', 'e'], texts))
    .toBe('\uFEFFa,b,c,d,e\r\n2,,,"Own sentence, of a module.",Zeile ausgelassen\r\n')
})
