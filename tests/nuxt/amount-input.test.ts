import { afterEach, expect, test } from 'vitest'
import { h, ref } from 'vue'
import { flushPromises } from '@vue/test-utils'
import { AmountInput } from '#components'
import { readAmount, useApi, useNuxtApp } from '#imports'
import { answers } from './support/api.ts'
import { draw, one, said, type, using } from './support/screen.ts'

const field = () => one<HTMLInputElement>('input')
const speak = async (locale: 'en' | 'es') => await useNuxtApp().$i18n.setLocale(locale)
afterEach(() => speak('en'))

/** A form with one amount. It saves the amount as the API expects it. */
async function aForm({ currency = 'EUR', text = '' } = {}) {
  const typed = ref(text)
  await draw({
    render: () =>
      h(AmountInput, {
        'modelValue': typed.value,
        'onUpdate:modelValue': (value: string) => {
          typed.value = value
        },
        currency,
        'label': 'Price'
      })
  })
  return typed
}

async function leave() {
  field().blur()
  await flushPromises()
}

test('an amount typed with a comma is sent with a point', async () => {
  const asked = answers('POST', '/api/v1/catalog/items', { status: 201, data: {} })
  const typed = await aForm()
  await type(field(), '45,5')
  const { post } = await using(useApi)
  await post('/api/v1/catalog/items', { body: { price: readAmount(typed.value, 'EUR') } })
  expect(asked[0]!.body).toEqual({ price: '45.50' })
})

test('typed text is unchanged until the field loses the focus', async () => {
  await aForm()
  await type(field(), '1234,5')
  expect(field().value).toBe('1234,5')
  await leave()
  expect(field().value).toBe('1234.50')
})

test('an amount is formatted as the page\'s language writes it', async () => {
  await speak('es')
  await aForm()
  await type(field(), '1.234,5 €')
  await leave()
  expect(field().value).toBe('1234,50')
})

test('the currency determines the number of decimals', async () => {
  await aForm({ currency: 'KWD' })
  await type(field(), '2.5')
  await leave()
  expect([field().value, said(one('[dir="ltr"]'))]).toEqual(['2.500', 'KWD'])
})

test('a text that is not an amount remains so that the user can correct it', async () => {
  await aForm()
  await type(field(), 'about 40')
  await leave()
  expect(field().value).toBe('about 40')
})

test('an amount has a label for screen readers, and opens a numeric keyboard', async () => {
  await aForm()
  expect([field().getAttribute('aria-label'), field().inputMode || field().getAttribute('inputmode')]).toEqual([
    'Price',
    'decimal'
  ])
})
