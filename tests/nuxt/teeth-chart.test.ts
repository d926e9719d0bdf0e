import { flushPromises } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import { h, ref } from 'vue'
import { TeethChart, TeethPicture } from '#components'
import { draw, one, said } from './support/screen.ts'

const tooth = (code: string) => one<HTMLElement>(`[data-tooth="${code}"]`)
const focused = () => document.activeElement?.getAttribute('data-tooth')
const tabbable = () =>
  [...document.querySelectorAll('[data-tooth][tabindex="0"]')].map(element => element.getAttribute('data-tooth'))

async function key(name: string) {
  document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
  await flushPromises()
}

async function aChart(props: Record<string, unknown> = {}, selected: string[] = []) {
  const teeth = ref(selected)
  await draw({
    render: () => h(TeethChart, {
      'label': 'Teeth of line 1',
      'notation': 'fdi',
      'deciduous': false,
      'planned': {},
      'input': true,
      ...props,
      'modelValue': teeth.value,
      'onUpdate:modelValue': (value: string[]) => {
        teeth.value = value
      }
    } as never)
  })
  return teeth
}

describe('the chart as an input', () => {
  test('is one Tab stop, and the arrow keys follow the picture and stop at its edges', async () => {
    await aChart()
    expect(tabbable()).toEqual(['18'])
    tooth('18').focus()
    await key('ArrowLeft')
    expect(focused()).toBe('18')
    await key('ArrowRight')
    expect(focused()).toBe('17')
    expect(tabbable()).toEqual(['17'])
    await key('ArrowDown')
    expect(focused()).toBe('47')
    await key('End')
    expect(focused()).toBe('38')
    await key('ArrowUp')
    expect(focused()).toBe('28')
    await key('Home')
    expect(focused()).toBe('18')
  })

  test('includes the midline and, where they are drawn, the baby teeth in keyboard movement', async () => {
    await aChart({ deciduous: true })
    tooth('11').focus()
    await key('ArrowRight')
    expect(focused()).toBe('21')
    await key('ArrowDown')
    expect(focused()).toBe('61')
    await key('ArrowDown')
    expect(focused()).toBe('71')
    await key('ArrowDown')
    expect(focused()).toBe('31')
  })

  test('selects a tooth with Space, Enter or a click, and deselects it the same way', async () => {
    const teeth = await aChart()
    tooth('16').focus()
    await key(' ')
    await key('ArrowRight')
    await key('Enter')
    expect(teeth.value).toEqual(['16', '15'])
    expect([tooth('16').ariaPressed ?? tooth('16').getAttribute('aria-pressed'), tooth('14').getAttribute('aria-pressed')])
      .toEqual(['true', 'false'])
    tooth('16').dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await flushPromises()
    expect(teeth.value).toEqual(['15'])
  })

  test('starts at the first selected tooth, and names each tooth by number, kind and side', async () => {
    await aChart({ notation: 'universal', planned: { 36: 'Crown' } }, ['36'])
    expect(tabbable()).toEqual(['36'])
    expect(tooth('36').getAttribute('aria-label')).toBe('Tooth 19, first molar, lower left: Crown')
    expect(tooth('13').getAttribute('aria-label')).toBe('Tooth 6, canine, upper right')
  })

  test('marks a selected tooth with lines and a box, not only with a colour', async () => {
    await aChart({}, ['21'])
    expect([tooth('21').querySelector('.tooth-mark') !== null, tooth('11').querySelector('.tooth-mark')]).toEqual([true, null])
    expect(tooth('21').querySelector('path[fill^="url("]')).not.toBeNull()
  })
})

describe('the chart as a picture', () => {
  const lines = [
    { name: 'Crown', teeth: ['16'] },
    { name: 'Filling', teeth: ['16'], surfaces: ['O', 'M'] },
    { name: 'Implant', teeth: ['36', '46'] },
    { name: 'Splint', area: 'upper_jaw', option: 'Night guard' },
    { name: 'Check-up' }
  ]
  const draws = (props = {}) =>
    draw(TeethPicture as never, { props: { lines, notation: 'fdi', deciduous: false, ...props } })

  test('moves between treated teeth, and shows the lines of the focused tooth', async () => {
    await draws()
    expect([...document.querySelectorAll('[data-tooth][role=button]')].map(one => one.getAttribute('data-tooth')))
      .toEqual(['16', '46', '36'])
    expect(tooth('11').getAttribute('aria-hidden')).toBe('true')
    tooth('16').focus()
    await key('ArrowDown')
    await key('ArrowRight')
    expect(focused()).toBe('36')
    await key('Enter')
    expect(said(one('[role=status]'))).toBe('Tooth 36, first molar, lower leftImplant')
    await key('Enter')
    expect(said(one('[role=status]'))).toBe('')
  })

  test('has the same content as a list by tooth, with areas last, and names the notation', async () => {
    await draws({ notation: 'palmer' })
    expect([...document.querySelectorAll('ul[aria-label="Treatments by tooth"] li')].map(item => said(item))).toEqual([
      'Tooth 6┘, first molar, upper right: Crown; Filling (MO)',
      'Tooth 6┐, first molar, lower right: Implant',
      'Tooth ┌6, first molar, lower left: Implant',
      'Upper jaw: Splint – Night guard'
    ])
    expect(said()).toContain('Teeth are numbered in Palmer notation.')
    expect(said().match(/Palmer/g)).toHaveLength(1)
  })

  test('shows baby teeth when one is treated or the patient is a child', async () => {
    await draws()
    expect(tooth('55')).toBeNull()
    await draws({ deciduous: true })
    expect(tooth('55')).not.toBeNull()
  })

  test('shows baby teeth when one of them is treated', async () => {
    await draws({ lines: [{ name: 'Filling', teeth: ['85'] }] })
    expect(tooth('85').getAttribute('role')).toBe('button')
  })
})
