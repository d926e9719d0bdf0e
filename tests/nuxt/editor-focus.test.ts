import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { computed, h, provide, reactive } from 'vue'
import { EditorLines } from '#components'
import { LINE_PRICES, newChoice, newLine, newOption } from '#imports'
import { button, draw, press } from './support/screen.ts'

const aLine = (name: string) =>
  newLine({ id: name, code: name, name: { en: name }, unit_price: '10.00', vat: '0' }, 'en')

/** One line that is part of every selection, and a choice of two options without lines. */
async function anEditor() {
  const line = aLine('Cleaning')
  const choice = newChoice('Gap', 'exactly_one', ['Bridge', 'Implant'].map(title => newOption(title)))
  const form = reactive({ lines: [line], choices: [choice] })
  await draw({
    setup() {
      provide(LINE_PRICES, computed(() => []))
      return () => h(EditorLines, {
        'modelValue': form.lines,
        'onUpdate:modelValue': (lines: typeof form.lines) => { form.lines = lines },
        'choices': form.choices,
        'onUpdate:choices': (choices: typeof form.choices) => { form.choices = choices },
        'errors': {},
        'currency': 'EUR',
        'paths': form.lines.map((_, index) => `items.${index}`),
        'patientId': null
      })
    }
  })
  return { line, form }
}
const focused = () => document.activeElement as HTMLInputElement
async function moveDown() {
  focused().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }))
  await flushPromises()
}

test('a line that is moved by keyboard into an option and out of it keeps the focus in its field', async () => {
  const { line, form } = await anEditor()
  const quantity = ':is(input[data-field="quantity"], [data-field="quantity"] input)'
  document.querySelector<HTMLElement>(`#line-${line.key} ${quantity}`)!.focus()
  const [bridge, implant] = form.choices[0]!.options
  for (const { key } of [bridge!, implant!]) {
    await moveDown()
    expect(form.lines[0]!.option).toBe(key)
    expect([focused().closest('[id^="line-"]')?.id, focused().value]).toEqual([`line-${line.key}`, '1'])
  }
})

test('the checkbox that makes a line optional keeps the focus when it is selected and cleared', async () => {
  const { line, form } = await anEditor()
  const tick = () => document.querySelector<HTMLInputElement>(`#line-${line.key} input[type="checkbox"]`)!
  for (const choices of [2, 1]) {
    tick().focus()
    tick().click()
    await flushPromises()
    expect(form.choices).toHaveLength(choices)
    expect(focused()).toBe(tick())
  }
})

test('the focus moves beside a choice that is removed', async () => {
  const { form } = await anEditor()
  button('Remove choice').focus()
  await press('Remove choice')
  expect(form.choices).toEqual([])
  expect(focused()).toBe(button('Add options'))
})

test('the focus stays in the choice when one of its options is removed', async () => {
  const { form } = await anEditor()
  form.choices[0]!.options.push(newOption('Denture'))
  await flushPromises()
  button('Remove option').focus()
  await press('Remove option')
  expect(form.choices[0]!.options).toHaveLength(2)
  expect(focused().closest('[data-choice]')).not.toBeNull()
})
