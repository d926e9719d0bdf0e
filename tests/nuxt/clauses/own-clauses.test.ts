import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import { h, reactive } from 'vue'
import { ClauseSettings, EditorClauses } from '#components'
import { usePreferences } from '#imports'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { draw, findButton, one, press, said, type } from '../support/screen.ts'

const DEPOSIT = { id: 'deposit', title: { en: 'Deposit' }, text: { en: '30 % are due.' }, by_default: true }
const LATE = { id: 'late', title: { es: 'Citas' }, text: { es: 'Avise antes.' }, by_default: false }

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinic.manage', 'budget.write'] })
  answers('GET', '/api/v1/budget/channels', { data: [] })
})

describe('the clinic’s own conditions', () => {
  interface Texts { title: Record<string, string>, text: Record<string, string> }
  async function someSettings(clauses: Texts[]) {
    const form = reactive({ clauses })
    await draw(ClauseSettings, { props: { modelValue: form } })
    return form
  }
  const titleField = () => one<HTMLInputElement>('li input')
  const textField = () => one<HTMLInputElement>('li textarea')
  async function choose(language: string) {
    one('[role="combobox"]').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }))
    one('[role="combobox"]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await flushPromises()
    const option = [...document.querySelectorAll('[role="option"]')].find(found => found.textContent!.includes(language))!
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await flushPromises()
  }

  test('are selected by default and in the clinic\'s language when they are added', async () => {
    const form = await someSettings([])
    await press('Add condition')
    await type(titleField(), 'Deposit')
    await type(textField(), '30 % are due.')
    expect(form.clauses).toEqual([{ ...DEPOSIT, id: expect.stringMatching(/^[a-z0-9_-]{1,50}$/) }])
  })

  test('are at most five', async () => {
    await someSettings(Array.from({ length: 5 }, (_, at) => ({ ...structuredClone(DEPOSIT), id: `c${at}` })))
    expect(findButton('Add condition')).toBe(undefined)
    await press('Remove condition 2')
    expect(findButton('Add condition')).not.toBe(undefined)
  })

  test('list the other languages in which a text is missing', async () => {
    const form = await someSettings([structuredClone(DEPOSIT)])
    await choose('Français')
    await type(titleField(), 'Acompte')
    expect(said()).not.toContain('is missing')
    await choose('English')
    expect(said()).toContain('A title or text is missing in Français.')
    await choose('Français')
    await type(titleField(), '')
    await choose('English')
    expect(said()).not.toContain('is missing')
    expect(form.clauses).toEqual([DEPOSIT])
  })
})

describe('the conditions in the editor', () => {
  async function anEditor(chosen: string[] | null) {
    usePreferences().moduleSettings.value = { budget: { clauses: [DEPOSIT, LATE] } }
    const form = reactive({ clause_ids: chosen })
    await draw({
      setup: () => () => h(EditorClauses, {
        'modelValue': form.clause_ids,
        'onUpdate:modelValue': (ids: string[] | null) => { form.clause_ids = ids }
      })
    })
    const ticks = () => [...document.querySelectorAll<HTMLButtonElement>('[role="checkbox"]')]
    return {
      form,
      ticked: () => ticks().map(tick => tick.getAttribute('aria-checked') === 'true'),
      async press(at: number) { ticks()[at]!.click(); await flushPromises() }
    }
  }

  test('are selected as by default until the user changes them', async () => {
    const editor = await anEditor(null)
    expect(said()).toContain('Deposit')
    expect(editor.ticked()).toEqual([true, false])
    await editor.press(1)
    expect(editor.form.clause_ids).toEqual(['deposit', 'late'])
    await editor.press(1)
    expect(editor.form.clause_ids).toBe(null)
  })

  test('can all be deselected', async () => {
    const editor = await anEditor(['deposit'])
    await editor.press(0)
    expect([editor.form.clause_ids, editor.ticked()]).toEqual([[], [false, false]])
  })
})
