import { describe, expect, test } from 'vitest'
import { readStaffSections } from '../../../server/core/modules/sections/read-staff-sections.ts'

const aSection = (fields: object = {}) => ({ id: 'deposits', title: 'Deposits', ...fields })
const aTable = (rows: unknown[], columns: unknown[] = ['Day', { label: 'Amount', end: true }]) =>
  aSection({ table: { columns, rows } })

describe('a section on the clinic\'s screens', () => {
  test('can have text, facts and a table, and has no unknown members', () => {
    const section = aSection({ text: 'One\nTwo <b>three</b>', facts: [['Asked for', '50 €']] })
    const table = { columns: ['Day', { label: ' Amount ', end: true }], rows: [['1 May', ' 50 € '], ['2 May', '']] }
    expect(readStaffSections([{ ...section, table, html: '<b>', actions: [] }])).toEqual({
      sections: [{
        ...section,
        table: {
          columns: [{ label: 'Day', end: false }, { label: 'Amount', end: true }],
          rows: [['1 May', '50 €'], ['2 May', '']],
          more_rows: 0
        }
      }],
      faults: []
    })
  })

  test.each<[string, unknown]>([
    ['it is not an object', 'Deposits'],
    ['its id is invalid', aSection({ id: 'a b' })],
    ['its title has two lines', aSection({ title: 'a\nb' })],
    ['its text has a direction override', aSection({ text: 'a\u202Eb' })],
    ['a fact has no value', aSection({ facts: [['Asked for']] })],
    ['its table is a list', aSection({ table: [['1']] })],
    ['its table has no columns', aTable([], [])],
    ['its table has nine columns', aTable([], Array.from({ length: 9 }, (_, index) => `Column ${index}`))],
    ['a column has no label', aTable([], [{ end: true }])],
    ['a row has too few cells', aTable([['1 May']])],
    ['a row has too many cells', aTable([['1 May', '50 €', 'paid']])],
    ['a cell is a number', aTable([['1 May', 50]])],
    ['a cell has two lines', aTable([['1\nMay', '50 €']])],
    ['a cell is too long', aTable([['1 May', 'x'.repeat(201)]])]
  ])('is omitted when %s, and the others are kept', (_, wrong) => {
    const { sections, faults } = readStaffSections([wrong, aSection({ id: 'other' })])
    expect(sections).toEqual([aSection({ id: 'other' })])
    expect(faults).toEqual([expect.stringMatching(/^section 1: ./)])
  })

  test('is omitted when another section has the same id', () => {
    expect(readStaffSections([aSection(), aSection({ title: 'Again' })])).toEqual({
      sections: [aSection()], faults: ['section 2: its id is taken']
    })
  })
})

test('a section beyond the third and a fact beyond the tenth are omitted', () => {
  const facts = Array.from({ length: 11 }, (_, index) => [`Label ${index}`, 'value'])
  const { sections, faults } = readStaffSections(['a', 'b', 'c', 'd'].map(id => aSection({ id, facts })))
  expect(sections.map(({ id, facts }) => [id, facts?.length])).toEqual([['a', 10], ['b', 10], ['c', 10]])
  expect(faults).toEqual([
    ...['a', 'b', 'c'].map(id => `section ${id}: it has more than 10 facts`), 'it has more than 3 sections'
  ])
})

test('a table has fifty rows and the number of further rows', () => {
  const rows = Array.from({ length: 53 }, (_, index) => [String(index), '50 €'])
  const { sections, faults } = readStaffSections([aTable(rows)])
  expect(sections[0]!.table).toMatchObject({ rows: rows.slice(0, 50), more_rows: 3 })
  expect(faults).toEqual([])
})

describe('a list with a million entries', () => {
  const million = (entry: unknown) => Array.from({ length: 1e6 }, () => entry)

  test('is not read beyond the fiftieth row', () => {
    const unread = { get length(): number { throw new Error('read') } }
    const rows = [...Array.from({ length: 50 }, () => ['1 May', '50 €']), ...million(unread)]
    const { sections, faults } = readStaffSections([aTable(rows)])
    expect(sections[0]!.table).toMatchObject({ rows: rows.slice(0, 50), more_rows: 1e6 })
    expect(faults).toEqual([])
  })

  test.each<[string, object]>([
    ['rows', aTable(million([1, null]))],
    ['cells', aTable([million(1)])],
    ['columns', aTable([], million(1))],
    ['facts', aSection({ facts: million([1, null]) })]
  ])('has only a short note about wrong %s', (_, wrong) => {
    const { sections, faults } = readStaffSections([wrong])
    expect(sections).toEqual([])
    expect(faults).toEqual([expect.stringMatching(/^section 1: .{1,800}; and \d{1,3} more$/)])
  })
})
