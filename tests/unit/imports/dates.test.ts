import { createDateSurvey, isNoDate, namedMonths, readDay } from '@svc/kit/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MONTH_WORDS, NO_DATES } from '@svc/kit/date-words'

const at = { locale: 'es', country: 'ES', today: '2026-11-26' }
const surveyOf = (cells: string[]) => {
  const survey = createDateSurvey()
  cells.forEach(survey.add)
  return survey
}

describe('the reader of dates in a Spanish clinic', () => {
  test.each([
    ['1985-04-03', '1985-04-03', null],
    ['03/04/1985 00:00:00', '1985-04-03', 'dmy'],
    ['03/04/1985 0:00', '1985-04-03', 'dmy'],
    ['1985-04-03T00:00:00', '1985-04-03', null],
    ['1985-04-03 00:00:00.000', '1985-04-03', null],
    ['1990-03-15T00:00:00Z', '1990-03-15', null],
    ['1990-03-15T00:00:00.000Z', '1990-03-15', null],
    ['1990-03-15T00:00:00+02:00', '1990-03-15', null],
    ['3/15/1990 12:00:00 AM', null, null],
    ['15/3/1990 12:00:00 a. m.', '1990-03-15', null],
    ['1985/04/03', '1985-04-03', null],
    ['1985.4.3', '1985-04-03', null],
    ['19850403', '1985-04-03', null],
    ['03041985', '1985-04-03', 'dmy'],
    ['31121985', '1985-12-31', null],
    ['03/04/85', '1985-04-03', 'dmy'],
    ['1/2/85', '1985-02-01', 'dmy'],
    ['15/3/20', '2020-03-15', 'century'],
    ['3/4/20', '2020-04-03', 'dmy_century'],
    ['15/3/27', '1927-03-15', 'century'],
    ['3/4/27', '1927-04-03', 'dmy_century'],
    ['15/3/35', '1935-03-15', 'century'],
    ['15/3/36', '1936-03-15', null],
    ['15 mar 27', '1927-03-15', 'century'],
    ['26/11/26', '2026-11-26', 'century'],
    ['27/11/26', '1926-11-27', 'century'],
    ['85-04-03', '1985-04-03', null],
    ['15-mar-1990', '1990-03-15', null],
    ['15-MAR-90', '1990-03-15', null],
    ['15 de marzo de 1990', '1990-03-15', null],
    ['jueves, 15 de marzo de 1990', '1990-03-15', null],
    ['15. März 1990', '1990-03-15', null],
    ['15 mars 1990', '1990-03-15', null],
    ['1er avril 1990', '1990-04-01', null],
    ['15 out. 1990', '1990-10-15', null],
    ['March 15, 1990', '1990-03-15', null],
    ['15th March 1990', '1990-03-15', null],
    ['1990-Mar-15', '1990-03-15', null],
    ['15 مارس 1990', '1990-03-15', null],
    ['١٥/٣/١٩٩٠', '1990-03-15', null],
    ['15 كانون الثاني 1990', '1990-01-15', null],
    ['\u202A15/03/1990\u202C', '1990-03-15', null]
  ])('reads %j as %j', (text, day, how) => {
    expect(readDay(text, at)).toEqual(day === null ? null : { day, how })
  })

  test.each([
    '31412', '1985', '30/02/1985', '15-foo-1990', '31-abr-1990', '1985-04-03T22:00:00Z',
    '1985-04-03T22:00:00+00:00', '3/4', '030485', '3/4/1985/6',
    '1985-04-03 25:00', 'ayer', '', '12345678901'
  ])('refuses %j', text => expect(readDay(text, at)).toBeNull())
})

describe('a column of dates', () => {
  test('that has only numbers is read as serial numbers of a spreadsheet, with a note in each row', () => {
    const survey = surveyOf(['31412', '-', '20000', '0000-00-00', '29221'])
    expect(survey.serials).toBe(true)
    expect(readDay('31412', { ...at, survey })).toEqual({ day: '1985-12-31', how: 'serial' })
  })
  test.each([[['31412', '1/2/1985']], [['1985', '1990']], [['19850403', '31412']], [[]]])(
    'with %j has no serial numbers', cells => expect(surveyOf(cells).serials).toBe(false))

  test('shows the order of day and month by its values, and then no date is ambiguous', () => {
    expect(surveyOf(['3/4/1985', '15/4/1985']).order).toBe('dmy')
    expect(surveyOf(['3/4/1985', '4/15/1985']).order).toBe('mdy')
    expect(surveyOf(['3/4/1985']).order).toBeNull()
    expect(surveyOf(['15/4/1985', '4/15/1985']).order).toBeNull()
    expect(readDay('3/4/1985', { ...at, survey: surveyOf(['15/4/1985']) })).toEqual({ day: '1985-04-03', how: null })
    expect(readDay('3/4/1985', { ...at, survey: surveyOf(['4/15/1985']) })).toEqual({ day: '1985-03-04', how: null })
  })

  test('is read in the order that the user chooses', () => {
    expect(readDay('3/4/1985', { ...at, date_order: 'mdy' })).toEqual({ day: '1985-03-04', how: 'mdy' })
    expect(readDay('3/4/1985', { locale: 'en', country: null, today: at.today })).toBeNull()
    expect(readDay('3/4/1985', { locale: 'en', country: null, today: at.today, date_order: 'dmy' })).toEqual({ day: '1985-04-03', how: 'dmy' })
  })
})

test('every word of the table stands for the month of its row, and for no other', () => {
  const named = namedMonths()
  for (const [month, words] of MONTH_WORDS.entries()) {
    for (const word of words) expect([word, readDay(`15 ${word} 1990`, at)?.day]).toEqual([word, `1990-${String(month + 1).padStart(2, '0')}-15`])
  }
  expect(new Set(named.values()).size).toBe(12)
})

test.each(['en', 'es', 'fr', 'de', 'pt', 'ar'])('every date that Intl writes in words in %s is read', (language) => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2026-11-26'), noInvalidDate: true })
  const form = fc.constantFrom<Intl.DateTimeFormatOptions['month']>('long', 'short')
  fc.assert(fc.property(day, form, (date, month) => {
    const written = new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }).format(date)
    expect([written, readDay(written, at)?.day]).toEqual([written, date.toISOString().slice(0, 10)])
  }))
})

test.each([...NO_DATES])('%j counts as an empty date, also followed by a time', (mark) => {
  expect(isNoDate(mark)).toBe(true)
  if (/\d/.test(mark) && mark.length > 4) expect(isNoDate(`${mark} 00:00:00`)).toBe(true)
})

test('a valid date is not read as an empty one, and no text causes an exception', () => {
  expect(['1900-01-01', '01/01/2000', '1985-04-03', 'x'].map(isNoDate)).toEqual([false, false, false, false])
  const piece = fc.constantFrom('1', '12', '1985', '/', '-', '.', ' ', 'T', ':', '00', 'mar', 'de', 'Z', '٣', ',')
  fc.assert(fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
    const read = readDay(pieces.join(''), at)
    if (read) expect(new Date(`${read.day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(read.day)
  }), { numRuns: 2000 })
  expect(readDay(`1${' '.repeat(100_000)}1`, at)).toBeNull()
})
