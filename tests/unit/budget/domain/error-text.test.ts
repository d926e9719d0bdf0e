import { expect, test } from 'vitest'
import { errorText } from '../../../../layers/budget/shared/domain/error-text.ts'

test.each([
  [
    'ENOENT: no such file or directory, open \'/srv/app/storage/documents/a.pdf\'',
    'ENOENT: no such file or directory, open \'…/a.pdf\''
  ],
  ['EROFS: mkdir /mnt/volume/documents/budgets', 'EROFS: mkdir …/budgets'],
  ['cannot read "C:\\app\\storage\\a.pdf"', 'cannot read "…/a.pdf"'],
  ['no answer from https://tsa.example/tsr within 5 s', 'no answer from https://tsa.example/tsr within 5 s'],
  ['1/2 of 3/4', '1/2 of 3/4']
])('the text of an error keeps the message and omits folder paths: %s', (message, text) => {
  expect(errorText(new Error(message))).toBe(text)
})

test('a thrown value that is not an Error is converted to text, and long texts are shortened', () => {
  expect([errorText('plain'), errorText('x'.repeat(900)).length]).toEqual(['plain', 500])
})
