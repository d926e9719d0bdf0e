import { describe, expect, test } from 'vitest'
import { keptLines } from '../../../../layers/budget/shared/domain/kept-lines.ts'

const filling = (id: string, tooth: string | null = null) => ({ id, treatment_id: 'filling', teeth: tooth ? [tooth] : [], surfaces: null })
const stored = [filling('a', '16'), filling('b', '26'), { id: 'c', treatment_id: 'crown', teeth: null, surfaces: null }]
const ids = (wanted: Parameters<typeof keptLines>[0]) => keptLines(wanted, stored).map(line => line?.id ?? null)

describe('the stored line that matches a requested line', () => {
  test('is found by its id, even if it moved or was changed', () => {
    expect(
      ids([
        { id: 'c', treatment_id: 'crown' },
        { id: 'b', treatment_id: 'filling', teeth: ['16'] },
        { id: 'a', treatment_id: 'filling', teeth: ['26'] }
      ])
    ).toEqual(['c', 'b', 'a'])
  })

  test('is one of the same treatment, preferably at the same position, when no id is given', () => {
    expect(
      ids([
        { treatment_id: 'filling', teeth: ['26'] },
        { treatment_id: 'filling', teeth: ['11'] }
      ])
    ).toEqual(['b', 'a'])
  })

  test('is missing for additional lines of a treatment and for another treatment', () => {
    expect(ids([{ treatment_id: 'crown' }, { treatment_id: 'crown' }, { treatment_id: 'cleaning' }])).toEqual([
      'c',
      null,
      null
    ])
  })

  test('is missing when the request marks the line as new', () => {
    expect(ids([{ id: null, treatment_id: 'crown' }])).toEqual([null])
  })

  test('is missing, without a replacement, when its id is unknown, of another treatment or used twice', () => {
    expect(
      ids([
        { id: 'x', treatment_id: 'crown' },
        { id: 'a', treatment_id: 'crown' },
        { id: 'b', treatment_id: 'filling' },
        { id: 'b', treatment_id: 'filling' }
      ])
    ).toEqual([null, null, 'b', null])
  })
})
