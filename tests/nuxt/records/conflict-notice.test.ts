import { expect, test, vi } from 'vitest'
import { ConflictNotice } from '#components'
import { button, draw, press, said } from '../support/screen.ts'

const rows = [
  { key: 'name', label: 'Name', theirs: 'Filling', mine: 'Composite filling' },
  { key: 'note', label: 'Note', theirs: '', mine: 'Two visits' }
]

test('a conflict shows for each field what is saved now beside what was typed', async () => {
  await draw(ConflictNotice, { props: { rows } })
  const fields = [...document.querySelectorAll('dl > div')].map(field => [
    said(field.querySelector('dt')!),
    ...[...field.querySelectorAll('bdi')].map(said)
  ])
  expect(fields).toEqual([['Name', 'Filling', 'Composite filling'], ['Note', '–', 'Two visits']])
})

test('a conflict is read out and takes the focus', async () => {
  await draw(ConflictNotice, { props: { rows } })
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('alert')
  expect(said(document.activeElement!)).toContain('Someone else saved changes meanwhile')
})

test('a conflict over the same values says so', async () => {
  await draw(ConflictNotice, { props: { rows: [] } })
  expect(said()).toContain('The saved version is the same as yours.')
})

test('a conflict has two ways out', async () => {
  const onTheirs = vi.fn()
  const onMine = vi.fn()
  await draw(ConflictNotice, { props: { rows, onTheirs, onMine } })
  await press('Show saved version')
  expect([onTheirs.mock.calls.length, onMine.mock.calls.length]).toEqual([1, 0])
  await press('Save mine anyway')
  expect([onTheirs.mock.calls.length, onMine.mock.calls.length]).toEqual([1, 1])
})

test('while ours is being saved, neither way out can be pressed', async () => {
  await draw(ConflictNotice, { props: { rows, saving: true } })
  expect([button('Show saved version').disabled, button('Save mine anyway').disabled]).toEqual([true, true])
})
