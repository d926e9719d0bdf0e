import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../bench/rows/index.ts'
import { aBenchInstance, type BenchInstance } from '../../bench/support/instance.ts'

let instance: BenchInstance
beforeAll(async () => { instance = await aBenchInstance(() => {}, 'smallest') })
afterAll(() => instance.close())

/** This test measures nothing. It finds rows that cannot run, which would leave figures of older code in the table. */
describe('each row of `npm run bench` runs at its smallest size:', () => {
  test.each(Object.keys(rows))('%s', async (name) => {
    const figures = await rows[name]!(instance, () => {})
    expect(figures.length).toBeGreaterThan(0)
    for (const { base, measured, ratio } of figures) {
      expect([base, measured, ratio]).toEqual([base, measured, ratio].map(() => expect.any(Number)))
      expect(base).toBeGreaterThan(0)
      expect(measured).toBeGreaterThan(0)
    }
  })
})
