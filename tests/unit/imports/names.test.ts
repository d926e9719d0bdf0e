import { splitName } from '@svc/kit/names'
import { describe, expect, test } from 'vitest'

type Case = [text: string, first: string, last: string | undefined]

describe('the reader of a name in one cell', () => {
  test.each<Case>([
    ['Soler Puig, Ana', 'Ana', 'Soler Puig'],
    ['García López, Mª del Carmen', 'Mª del Carmen', 'García López'],
    ['محمود، أحمد', 'أحمد', 'محمود']
  ])('takes the part before a comma as the last name, in either order: %s', (text, first_name, last_name) => {
    for (const order of ['first_last', 'last_first'] as const)
      expect(splitName(text, { order, locale: 'es' })).toEqual({ first_name, last_name })
  })

  test.each<Case>([
    ['Ana Soler', 'Ana', 'Soler'],
    ['Ana Soler Puig', 'Ana', 'Soler Puig'],
    ['María José García López', 'María José', 'García López'],
    ['María José García', 'María José', 'García'],
    ['Ana de la Cruz Gil', 'Ana', 'de la Cruz Gil'],
    ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
    ['Luis', 'Luis', undefined],
    [', Ana', 'Ana', undefined]
  ])('splits Spanish names with the first name first: %s', (text, first_name, last_name) => {
    expect(splitName(text, { order: 'first_last', locale: 'es-ES' })).toEqual({ first_name, last_name })
  })

  test.each<Case>([
    ['Soler Ana', 'Ana', 'Soler'],
    ['Soler Puig Ana', 'Ana', 'Soler Puig'],
    ['SOLER PUIG ANA MARÍA', 'ANA MARÍA', 'SOLER PUIG'],
    ['García Ana María', 'Ana María', 'García'],
    ['de la Cruz Gil Ana', 'Ana', 'de la Cruz Gil']
  ])('splits Spanish names with the last name first: %s', (text, first_name, last_name) => {
    expect(splitName(text, { order: 'last_first', locale: 'es' })).toEqual({ first_name, last_name })
  })

  test.each<[...Case, locale: string]>([
    ['Mary Ann Smith', 'Mary Ann', 'Smith', 'en'],
    ['Jan van der Berg', 'Jan', 'van der Berg', 'en'],
    ['Anna-Lena von Arnim', 'Anna-Lena', 'von Arnim', 'de'],
    ['Mohamed el Amrani', 'Mohamed', 'el Amrani', 'fr'],
    ['Giulia Della Valle', 'Giulia', 'Della Valle', 'it'],
    ['محمد بن سلمان', 'محمد', 'بن سلمان', 'ar']
  ])('splits other names with the first name first: %s', (text, first_name, last_name, locale) => {
    expect(splitName(text, { order: 'first_last', locale })).toEqual({ first_name, last_name })
  })

  test.each<[...Case, locale: string]>([
    ['Müller Klaus Peter', 'Klaus Peter', 'Müller', 'de'],
    ['van der Berg Jan', 'Jan', 'van der Berg', 'de'],
    ['O’Brien Sean', 'Sean', 'O’Brien', 'en']
  ])('splits other names with the last name first: %s', (text, first_name, last_name, locale) => {
    expect(splitName(text, { order: 'last_first', locale })).toEqual({ first_name, last_name })
  })
})
