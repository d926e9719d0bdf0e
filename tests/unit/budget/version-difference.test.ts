import { describe, expect, test } from 'vitest'
import { differenceOf } from '../../../layers/budget/app/utils/version-difference.ts'

type Version = Parameters<typeof differenceOf>[0]
type Line = Version['items'][number]

let lines = 0
const aLine = (fields: Partial<Line> = {}): Line => ({
  id: `line-${++lines}`,
  treatment_id: 'filling',
  code: 'RES-01',
  name: 'Filling',
  description: null,
  tooth: null,
  teeth: ['16'],
  surfaces: ['O'],
  quantity: 1,
  unit_price: '100.00',
  vat: '0',
  discount: null,
  done_on: null,
  original_price: '100.00',
  price: '100.00',
  discounted: false,
  tax: '0.00',
  notes: null,
  translated: true,
  ...fields
})
const aVersion = (items: Line[], fields: Partial<Version> = {}): Version => ({
  items,
  patient: { id: 'p', first_name: 'Lucía', last_name: 'Muñoz' },
  professional: { id: 'd', name: 'Elena Vidal' },
  valid_until: '2026-12-18',
  global_discount: null,
  totals: { original: '100.00', discount: '0.00', total: '100.00', tax: '0.00' },
  patient_notes: null,
  internal_notes: null,
  ...fields
})

const NOTHING = { lines: [], clauses: [], fields: [], same: true }

test('a copy has no differences, whatever ids its lines have', () => {
  expect(differenceOf(aVersion([aLine()]), aVersion([aLine()]))).toEqual(NOTHING)
})

describe('the comparison of lines', () => {
  test('distinguishes added and removed lines by treatment', () => {
    const crown = aLine({ treatment_id: 'crown', name: 'Crown' })
    const filling = aLine()
    expect(differenceOf(aVersion([filling]), aVersion([crown])).lines).toEqual([
      { kind: 'added', line: crown },
      { kind: 'removed', line: filling }
    ])
  })

  test('shows a changed price and quantity with the values before and after', () => {
    const { lines: [line] } = differenceOf(aVersion([aLine()]), aVersion([aLine({ quantity: 2, price: '200.00' })]))
    expect(line).toMatchObject({
      kind: 'changed',
      changes: [
        { field: 'quantity', before: '1', after: '2' },
        { field: 'price', before: '100.00', after: '200.00' }
      ]
    })
  })

  test('includes notes for the staff', () => {
    const { lines: [line], same } = differenceOf(aVersion([aLine()]), aVersion([aLine({ notes: 'Call first' })]))
    expect([line, same]).toMatchObject([
      { kind: 'changed', changes: [{ field: 'notes', before: null, after: 'Call first' }] },
      false
    ])
  })

  test('shows a line discount as a percentage or an amount', () => {
    const {
      lines: [line]
    } = differenceOf(
      aVersion([aLine({ discount: { type: 'percent', value: '10' } })]),
      aVersion([aLine({ discount: { type: 'amount', value: '10.00' } })])
    )
    expect(line).toMatchObject({ changes: [{ field: 'discount', before: '10%', after: '10.00' }] })
  })

  test('distinguishes two lines of one treatment by the tooth, in any order', () => {
    const upper = { teeth: ['16'], price: '100.00' }
    const lower = { teeth: ['36'], price: '120.00' }
    expect(differenceOf(aVersion([aLine(upper), aLine(lower)]), aVersion([aLine(lower), aLine(upper)])).lines).toEqual(
      []
    )
  })

  test('treats a line that moved to another tooth as the same line', () => {
    const { lines: [line] } = differenceOf(aVersion([aLine()]), aVersion([aLine({ teeth: ['17'] })]))
    expect(line).toMatchObject({ kind: 'changed', changes: [{ field: 'place', before: '16 O', after: '17 O' }] })
  })

  test('ignores lines that differ only in their share of the tax', () => {
    expect(differenceOf(aVersion([aLine()]), aVersion([aLine({ tax: '17.36' })])).same).toBe(true)
  })
})

test('the comparison includes totals, validity, clinician, discount and notes', () => {
  const after = aVersion([aLine()], {
    valid_until: null,
    professional: null,
    global_discount: { type: 'percent', value: '5' },
    totals: { original: '100.00', discount: '5.00', total: '95.00', tax: '0.00' },
    patient_notes: 'Two visits.'
  })
  expect(differenceOf(aVersion([aLine()]), after).fields).toEqual([
    { field: 'professional', before: 'Elena Vidal', after: null },
    { field: 'valid_until', before: '2026-12-18', after: null },
    { field: 'global_discount', before: null, after: '5%' },
    { field: 'discount', before: '0.00', after: '5.00' },
    { field: 'total', before: '100.00', after: '95.00' },
    { field: 'patient_notes', before: null, after: 'Two visits.' }
  ])
})

test('the comparison includes lines of options and choices', () => {
  const choice = (title: string, items: Line[], recommended = false, description: string | null = null) => ({
    choices: [{
      id: 'c',
      title: 'The gap',
      rule: 'exactly_one' as const,
      options: [{ id: 'o', title, description, recommended, price: '100.00', items }]
    }]
  })
  const same = differenceOf(aVersion([], choice('Bridge', [aLine()])), aVersion([], choice('Bridge', [aLine()])))
  expect(same).toEqual(NOTHING)
  const { lines, fields } = differenceOf(
    aVersion([], choice('Bridge', [aLine()])),
    aVersion([], choice('Bridge', [aLine({ quantity: 2 })], true))
  )
  expect(lines).toMatchObject([{ kind: 'changed', line: { name: 'Filling – Bridge' } }])
  expect(fields).toEqual([{ field: 'choices', before: 'The gap: Bridge', after: 'The gap: Bridge ★' }])
  const { fields: described } = differenceOf(
    aVersion([], choice('Bridge', [aLine()])),
    aVersion([], choice('Bridge', [aLine()], true, 'Lasts.'))
  )
  expect(described).toEqual([{ field: 'choices', before: 'The gap: Bridge', after: 'The gap: Bridge ★ (Lasts.)' }])
})

test('the comparison describes choices with the words and punctuation of the language', () => {
  const options = ['Bridge', 'Implant'].map(title =>
    ({ id: title, title, description: null, recommended: false, price: '100.00', items: [] }))
  const choices = [{ id: 'c', title: 'The gap', rule: 'at_most_one' as const, options }]
  const { fields } = differenceOf(aVersion([]), aVersion([], { choices }), { optional: 'اختياري', comma: '، ' })
  expect(fields).toEqual([{ field: 'choices', before: null, after: 'The gap (اختياري): Bridge، Implant' }])
})

describe('the comparison of conditions', () => {
  const [deposit, late] = ['deposit', 'late'].map(id => ({ module: 'budget', id, title: id, text: `Text of ${id}.` }))
  const difference = (before: Version['clauses'], after: Version['clauses']) =>
    differenceOf(aVersion([], { clauses: before }), aVersion([], { clauses: after }))

  test('ignores their order', () => {
    expect(difference([deposit!, late!], [late!, deposit!])).toMatchObject({ clauses: [], same: true })
  })

  test('lists added, changed and removed conditions by module and id', () => {
    const changed = { ...late!, text: 'Call before.' }
    const foreign = { ...deposit!, module: 'terms' }
    expect(difference([deposit!, late!], [foreign, changed])).toMatchObject({
      clauses: [
        { kind: 'added', clause: foreign },
        { kind: 'changed', clause: changed, changes: [{ field: 'text', before: late!.text, after: 'Call before.' }] },
        { kind: 'removed', clause: deposit }
      ],
      same: false
    })
  })

  test('is made if one version has none, and not if they are unknown', () => {
    expect(difference(undefined, [deposit!]).clauses).toEqual([{ kind: 'added', clause: deposit }])
    expect(difference([deposit!], null)).toMatchObject({ clauses: [], same: true })
  })
})
