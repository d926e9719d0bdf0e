import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimits } from '../../../server/core/http/rate-limit.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const aLimiter = (points: number, seconds = 60) =>
  createLimits(instance.runtime.host.db).limiter({
    name: `test-${randomBytes(4).toString('hex')}`,
    points,
    seconds
  })

describe('a limit', () => {
  it('allows exactly its number of points, even if many requests come at once', async () => {
    const limiter = aLimiter(10)
    const states = await Promise.all(Array.from({ length: 200 }, () => limiter.take('k')))
    expect(states.filter(state => state.allowed)).toHaveLength(10)
    expect(states.at(-1)!.reset).toBeGreaterThan(0)
    expect(await limiter.take('another')).toMatchObject({ allowed: true, remaining: 9 })
  })

  it('is shared by all instances and survives a restart', async () => {
    const limit = { name: 'test-shared', points: 2, seconds: 60 }
    const [one, other] = [createLimits(instance.runtime.host.db), createLimits(instance.runtime.host.db)].map(
      limits => limits.limiter(limit)
    )
    await one!.take('k')
    await other!.take('k')
    expect(await one!.take('k')).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('can be read without counting, and refunded points can be used again', async () => {
    const limiter = aLimiter(1)
    expect(await limiter.peek('k')).toMatchObject({ allowed: true, remaining: 1 })
    await limiter.take('k')
    expect(await limiter.peek('k')).toMatchObject({ allowed: false, remaining: 0 })
    await limiter.refundAttempt('k')
    expect(await limiter.take('k')).toMatchObject({ allowed: true })
  })

  it('starts again when its window ends', async () => {
    const limiter = aLimiter(1)
    await limiter.take('k')
    await instance.sql`update core_rate_limit set expire = now() - interval '1 second' where key like 'test-%'`
    expect(await limiter.take('k')).toMatchObject({ allowed: true })
  })
})

describe('a pause between attempts', () => {
  const aPause = () =>
    createLimits(instance.runtime.host.db).pauses({
      name: `test-${randomBytes(4).toString('hex')}`,
      first: 1,
      longest: 60
    })
  /** Acts as if so many seconds had passed. */
  const later = (seconds: number) =>
    instance.sql`update core_rate_limit set expire = expire - ${seconds}::int * interval '1 second' where key like 'test-%'`

  it('doubles with each attempt, from a second to its maximum', async () => {
    const pause = aPause()
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await pause.take('k')).toMatchObject({ allowed: true, reset: seconds })
      await later(seconds)
    }
    await later(3600)
    expect(await pause.take('k')).toMatchObject({ allowed: true, reset: 1 })
  })

  it('allows one of any number of attempts at once, and returns how long the others wait', async () => {
    const pause = aPause()
    for (const seconds of [1, 2, 4, 8, 16]) {
      await pause.take('k')
      await later(seconds)
    }
    const states = await Promise.all(Array.from({ length: 50 }, () => pause.take('k')))
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(1)
    for (const { reset } of states) expect(reset).toBeLessThanOrEqual(32)
    expect((await pause.peek('k')).allowed).toBe(false)
  })

  it('ends when its attempt is refunded', async () => {
    const pause = aPause()
    await pause.take('k')
    await pause.refundAttempt('k')
    expect(await pause.take('k')).toMatchObject({ allowed: true, reset: 1 })
  })
})
