import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeenNames } from '../../../server/core/imports/seen-names.ts'

const key = Buffer.alloc(32, 7)
const MANY = Array.from({ length: 50_000 }, (_, n) => `external P${n}`)

describe('the set of names already read', () => {
  it('contains exactly the names that were added, however many they are', () => {
    const seen = createSeenNames(key)
    for (const name of MANY) {
      expect(seen.has(name)).toBe(false)
      seen.add(name)
      seen.takeNew()
    }
    expect(MANY.every(seen.has)).toBe(true)
    expect(MANY.some(name => seen.has(`${name} `))).toBe(false)
  })

  it('exports each name once, as a hash from which another process restores the set', () => {
    const seen = createSeenNames(key)
    for (const name of ['a', 'b', 'a']) seen.add(name)
    const hashes = seen.takeNew()
    expect(hashes).toHaveLength(16)
    seen.add('b')
    expect(seen.takeNew()).toHaveLength(0)

    const restored = createSeenNames(key)
    restored.restore(hashes)
    expect(['a', 'b', 'c'].map(restored.has)).toEqual([true, true, false])
    const withAnotherKey = createSeenNames(Buffer.alloc(32, 8))
    withAnotherKey.restore(hashes)
    expect(['a', 'b'].map(withAnotherKey.has)).toEqual([false, false])
  })

  it('forgets the names of a batch that was rolled back, and keeps the earlier ones', () => {
    const seen = createSeenNames(key)
    seen.add('kept')
    seen.takeNew()
    for (const name of ['kept', 'rolled back']) seen.add(name)
    seen.forgetNew()
    expect(['kept', 'rolled back'].map(seen.has)).toEqual([true, false])
  })

  it('behaves like a Set, in any order of calls', () => {
    const step = fc.oneof(
      fc.record({ call: fc.constant('add' as const), name: fc.integer({ min: 0, max: 40 }).map(String) }),
      fc.record({ call: fc.constantFrom('takeNew' as const, 'forgetNew' as const), name: fc.constant('') })
    )
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const seen = createSeenNames(key)
      const kept = new Set<string>()
      let added = new Set<string>()
      for (const { call, name } of steps) {
        if (call === 'add') {
          seen.add(name)
          if (!kept.has(name)) added.add(name)
          continue
        }
        if (call === 'takeNew') {
          expect(seen.takeNew()).toHaveLength(added.size * 8)
          for (const each of added) kept.add(each)
        } else {
          seen.forgetNew()
        }
        added = new Set()
      }
      for (let n = 0; n <= 40; n++) expect(seen.has(String(n))).toBe(kept.has(String(n)) || added.has(String(n)))
    }))
  })
})
