import { describe, expect, test } from 'vitest'
import { chooseField, columnsOf, fieldOf, missingFields } from '../../../app/utils/import-mapping.ts'

describe('a field of several columns', () => {
  const columns = ['Primer apellido', 'Nombre', 'Segundo apellido']
  const several = { several: ['last_name'], columns }

  test('keeps its columns in the order of the file', () => {
    const first = chooseField({}, 'Segundo apellido', 'last_name', several)
    expect(first).toEqual({ last_name: 'Segundo apellido' })
    const both = chooseField(first, 'Primer apellido', 'last_name', several)
    expect(both).toEqual({ last_name: ['Primer apellido', 'Segundo apellido'] })
    expect(fieldOf(both, 'Segundo apellido')).toBe('last_name')
    expect(columnsOf(both, 'last_name')).toEqual(['Primer apellido', 'Segundo apellido'])
  })

  test('becomes a field of one column when one of two is removed', () => {
    const both = { last_name: ['Primer apellido', 'Segundo apellido'] }
    expect(chooseField(both, 'Primer apellido', null, several)).toEqual({ last_name: 'Segundo apellido' })
    expect(chooseField(both, 'Primer apellido', 'notes', several))
      .toEqual({ last_name: 'Segundo apellido', notes: 'Primer apellido' })
  })
})

describe('the choice of a field for a column', () => {
  const mapping = { first_name: 'Vorname', last_name: 'Name' }

  test('assigns the field to the column', () => {
    expect(chooseField(mapping, 'Mail', 'email')).toEqual({ ...mapping, email: 'Mail' })
    expect(fieldOf(mapping, 'Vorname')).toBe('first_name')
    expect(fieldOf(mapping, 'Mail')).toBeNull()
  })

  test('removes the field from the column that had it before', () => {
    expect(chooseField(mapping, 'Nachname', 'last_name')).toEqual({ first_name: 'Vorname', last_name: 'Nachname' })
  })

  test('replaces the field that the column had before', () => {
    expect(chooseField(mapping, 'Name', 'notes')).toEqual({ first_name: 'Vorname', notes: 'Name' })
  })

  test('can leave a column out', () => {
    expect(chooseField(mapping, 'Name', null)).toEqual({ first_name: 'Vorname' })
    expect(chooseField(mapping, 'Mail', null)).toEqual(mapping)
  })
})

test('a field that new records need is reported as missing until a column is assigned to it, in any language', () => {
  const needed = ['code', 'name', 'unit_price']
  expect(missingFields({}, needed)).toEqual(needed)
  expect(missingFields({ code: 'Nr', name_es: 'Nombre' }, needed)).toEqual(['unit_price'])
  expect(missingFields({ code: 'Nr', name: 'Name', unit_price: 'Preis' }, needed)).toEqual([])
  expect(missingFields({ description_es: 'Texto' }, ['name'])).toEqual(['name'])
})

test('a column with the whole name makes columns for first and last name unnecessary', () => {
  const covering = { full_name: ['first_name', 'last_name'] }
  expect(missingFields({ full_name: 'Paciente' }, ['first_name', 'last_name'], covering)).toEqual([])
})
