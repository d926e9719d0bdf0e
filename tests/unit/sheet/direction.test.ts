import { expect, test } from 'vitest'
import {
  drawnText,
  FROM_LEFT,
  FROM_RIGHT,
  startingAt,
  visualRuns
} from '@svc/sheet/text/direction.ts'

const drawn = (line: string) => visualRuns(line).map(piece => piece.drawn)

test('a line without right-to-left letters is one unchanged piece', () => {
  expect(visualRuns('Calle Mayor 1 (28013)')).toEqual([{ drawn: 'Calle Mayor 1 (28013)' }])
})

test.each([
  ['محمد العلي', ['محمد العلي']],
  ['عيادة النور 24', ['24', 'عيادة النور ']],
  ['السعر 1.450,00 يورو.', [' يورو.', '1.450,00', 'السعر ']],
  ['هاتف +966 11 234', ['+966 11 234', 'هاتف ']],
  ['تاج خزفي (16)', ['(', '16', ')', 'تاج خزفي ']],
  ['تاج (زركونيا) أبيض', [' أبيض', '(', 'زركونيا', ')', 'تاج ']],
  ['Dr. محمد (ortodoncia)', ['Dr. ', 'محمد', ' (ortodoncia)']],
  ['Clínica النور 24', ['Clínica ', 'النور', ' 24']],
  ['6 مايو 2026، 18:21 (UTC+02:00, Europe/Madrid)', ['18:21 (UTC+02:00, Europe/Madrid)', ' ،', '2026', ' مايو ', '6']],
  ['ضريبة 15% هنا', [' هنا', '15%', 'ضريبة ']],
  ['بـ 15 دقيقة', [' دقيقة', '15', 'بـ ']],
  ['سنة ۲۰۲۶', ['۶۲۰۲', 'سنة ']]
])('%s: numbers and Latin words keep their order, and brackets point the right way', (line, pieces) => {
  expect(drawn(line)).toEqual(pieces)
})

test('a mirrored bracket keeps its original character', () => {
  expect(visualRuns('تاج (خزفي)').filter(piece => piece.means)).toEqual([
    { drawn: '(', means: ')' },
    { drawn: ')', means: '(' }
  ])
  expect(drawnText('تاج (خزفي)')).toBe(')خزفي(تاج ')
})

test('a direction mark at the start sets the direction: an amount in Arabic, a line broken before a Latin word', () => {
  expect(drawn(`${FROM_RIGHT}1.450,00 €`)).toEqual(['€ ', '1.450,00'])
  expect(drawn(`${FROM_RIGHT}−12,00 €`)).toEqual(['€ ', '−12,00'])
  expect(drawn(`${FROM_LEFT}محمد 24`)).toEqual(['محمد', ' 24'])
  expect(startingAt('right', 'Dr. Smith')).toBe(`${FROM_RIGHT}Dr. Smith`)
  expect(startingAt('right', 'محمد')).toBe('محمد')
})

test('a tooth in Palmer notation keeps its corner on its side', () => {
  expect(drawnText('السن 6┘')).toMatch(/^6┘/)
  expect(drawnText('السن ┌6')).toMatch(/^┌6/)
})
