import { expect, test } from 'vitest'
import { translateErrors } from '../../../app/utils/errors-csv.ts'
import { toErrorsCsv } from '../../../server/core/imports/errors-csv.ts'
import { WRONG } from '@svc/kit/cells'

const texts = new Map([[WRONG.email, 'Keine E-Mail-Adresse.'], [WRONG.code, 'Nur Buchstaben, Ziffern und „/“, "kurz".']])

test('the list of wrong rows speaks the language of the page, and names lines and columns as they are', () => {
  const csv = toErrorsCsv([
    { line: 3, column: 'E-Mail', message: WRONG.email },
    { line: 12, column: 'Code, kurz', message: WRONG.code },
    { line: 14, column: 'two\r\nlines', message: WRONG.email }
  ])
  expect(translateErrors(csv, ['Zeile', 'Spalte', 'Problem'], texts)).toBe(
    '\uFEFFZeile,Spalte,Problem\r\n'
    + '3,E-Mail,Keine E-Mail-Adresse.\r\n'
    + '12,"Code, kurz","Nur Buchstaben, Ziffern und „/“, ""kurz""."\r\n'
    + '14,"two\r\nlines",Keine E-Mail-Adresse.\r\n'
  )
})

test('a sentence that is not known stays', () => {
  const csv = toErrorsCsv([{ line: 2, column: '', message: 'Own sentence, of a module.' }])
  expect(translateErrors(csv, ['a', 'b', 'c'], texts)).toBe('\uFEFFa,b,c\r\n2,,"Own sentence, of a module."\r\n')
})
