import { expect, test } from 'vitest'
import { visualRuns } from '../../../../layers/budget/server/pdf/direction.ts'

test('a line without letters from the right is one piece, as it is', () => {
  expect(visualRuns('Calle Mayor 1 (28013)')).toEqual(['Calle Mayor 1 (28013)'])
})

test.each([
  ['محمد العلي', ['محمد العلي']],
  ['عيادة النور 24', ['24', 'عيادة النور ']],
  ['السعر 1.450,00 يورو.', [' يورو.', '1.450,00', 'السعر ']],
  ['هاتف +966 11 234', ['+966 11 234', 'هاتف ']],
  ['تاج خزفي (16)', ['(', '16', 'تاج خزفي )']],
  ['Dr. محمد (ortodoncia)', ['Dr. ', 'محمد', ' (ortodoncia)']],
  ['Clínica النور 24', ['Clínica ', 'النور', ' 24']]
])('%s: numbers and Latin words keep their order, brackets look the right way', (line, pieces) => {
  expect(visualRuns(line)).toEqual(pieces)
})
