import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { DetailDone } from '#components'
import { draw, press, said, type } from '../support/screen.ts'

const line = (id: string, name: string, done_on: string | null = null) =>
  ({ id, name, done_on, teeth: null, area: null, site: null, tooth: null, surfaces: null })
const budget = {
  items: [line('a', 'Crown', '2026-01-05'), line('b', 'Filling'), line('c', 'Cleaning', '2026-01-05')],
  choices: [{ options: [{ items: [] }, { items: [line('d', 'Implant')] }] }]
}

async function aDialog() {
  const asked: unknown[] = []
  await draw(DetailDone, {
    props: { open: true, budget, saving: false, error: null, onRecord: (request: unknown) => asked.push(request) }
  })
  await expect.poll(() => said()).toContain('Which treatments are done?')
  return asked
}
async function choose(at: number) {
  document.querySelectorAll<HTMLElement>('[role=checkbox]')[at]!.click()
  await flushPromises()
}
const days = () => [...document.querySelectorAll<HTMLInputElement>('input[type=date]')]

test('only lines whose day has changed are sent', async () => {
  const asked = await aDialog()
  expect(days().map(({ value }) => value)).toEqual(['2026-01-05', '2026-01-05'])
  await choose(0)
  await choose(3)
  await type(days()[1]!, '2026-01-06')
  await press('Save')
  expect(asked).toEqual([{ items: [{ item_id: 'a', done_on: null }, { item_id: 'd', done_on: '2026-01-06' }] }])
})

test('a day in the future is refused at its field', async () => {
  const asked = await aDialog()
  await type(days()[0]!, '2999-01-01')
  await press('Save')
  await expect.poll(() => said()).toContain('Enter a date that isn’t in the future.')
  expect(asked).toEqual([])
})
