import { expect, test } from 'vitest'
import { clearRemovedIds } from '#imports'

type Form = Parameters<typeof clearRemovedIds>[0]

const anOption = (key: number, id: string | null) => ({ key, id, title: '', description: '', recommended: false })
// Only the fields that the function reads. A whole form has thirty more.
const aForm = (): Form => ({
  lines: [['base', null], ['of-1', 1], ['of-2', 2], [null, null]].map(([id, option], key) =>
    ({ key, id, option })) as unknown as Form['lines'],
  choices: [
    {
      key: 9,
      id: 'choice',
      title: '',
      rule: 'exactly_one',
      options: [anOption(1, 'option-1'), anOption(2, 'option-2')]
    }
  ] as Form['choices']
})
const stored = (...options: string[]): Parameters<typeof clearRemovedIds>[1] => ({
  items: [{ id: 'base' }],
  choices: [{ id: 'choice', options: options.map(n => ({ id: `option-${n}`, items: [{ id: `of-${n}` }] })) }]
}) as unknown as Parameters<typeof clearRemovedIds>[1]

const BOTH = ['items', 'choices'] as const
const idsOf = ({ choices }: ReturnType<typeof aForm>) =>
  choices.flatMap(({ id, options }) => [id, ...options.map(option => option.id)])

test('lines of options that are still stored keep their ids', () => {
  const form = aForm()
  expect(clearRemovedIds(form, stored('1', '2'), BOTH)).toEqual([])
  expect(idsOf(form)).toEqual(['choice', 'option-1', 'option-2'])
})

test('an option or a choice that another person removed becomes a new one, and so do its lines', () => {
  const [one, all] = [aForm(), aForm()]
  expect(clearRemovedIds(one, stored('1'), BOTH).map(({ id }) => id)).toEqual(['of-2'])
  expect(idsOf(one)).toEqual(['choice', 'option-1', null])
  const { items } = stored()
  expect(clearRemovedIds(all, { items }, BOTH).map(({ id }) => id)).toEqual(['of-1', 'of-2'])
  expect(idsOf(all)).toEqual([null, null, null])
})

test('parts of the form that are not sent keep their ids', () => {
  const form = aForm()
  const { items } = stored()
  expect(clearRemovedIds(form, { items }, ['items'])).toEqual([])
  expect(idsOf(form)).toEqual(['choice', 'option-1', 'option-2'])
})
