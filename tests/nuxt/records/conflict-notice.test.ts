import { expect, test, vi } from 'vitest'
import { ConflictNotice } from '#components'
import { button, draw, press, said } from '../support/screen.ts'

const rows = [
  { key: 'name', label: 'Name', theirs: 'Filling', mine: 'Composite filling' },
  { key: 'note', label: 'Note', theirs: '', mine: 'Two visits' }
]

test('a conflict shows the saved value beside the typed value for each field', async () => {
  await draw(ConflictNotice, { props: { rows } })
  const fields = [...document.querySelectorAll('dl > div')].map(field => [
    said(field.querySelector('dt')!),
    ...[...field.querySelectorAll('bdi')].map(said)
  ])
  expect(fields).toEqual([['Name', 'Filling', 'Composite filling'], ['Note', '–', 'Two visits']])
})

test('a conflict is announced to screen readers and gets the focus', async () => {
  await draw(ConflictNotice, { props: { rows } })
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('alert')
  expect(said(document.activeElement!)).toContain('Someone else saved changes meanwhile')
})

test('a conflict with equal values is reported as such', async () => {
  await draw(ConflictNotice, { props: { rows: [] } })
  expect(said()).toContain('The saved version is the same as yours.')
})

test('a conflict offers two solutions', async () => {
  const onTheirs = vi.fn()
  const onMine = vi.fn()
  await draw(ConflictNotice, { props: { rows, onTheirs, onMine } })
  await press('Show saved version')
  expect([onTheirs.mock.calls.length, onMine.mock.calls.length]).toEqual([1, 0])
  await press('Save mine anyway')
  expect([onTheirs.mock.calls.length, onMine.mock.calls.length]).toEqual([1, 1])
})

test('neither solution can be chosen while our values are being saved', async () => {
  await draw(ConflictNotice, { props: { rows, saving: true } })
  expect([button('Show saved version').disabled, button('Save mine anyway').disabled]).toEqual([true, true])
})
