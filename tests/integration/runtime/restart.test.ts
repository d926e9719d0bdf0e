import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../server/core/log.ts'
import { createRestarts, type Restarts } from '../../../server/core/restart.ts'
import { eventually } from '../../support/builders.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world.close())

const until = (ask: () => boolean) => eventually(async () => ask())

/** One instance of several. The test starts it again each time it ends for a restart. */
interface Place { restarts: Restarts, restarted: number }

it('several instances restart one after the other, each once, and each waits until the previous one is back', async () => {
  const { database, config } = world
  const places: Place[] = []
  const others: number[] = []

  async function bringUp(place: Place) {
    place.restarts = await createRestarts({
      database,
      log: createLog(config),
      boot_id: randomUUID(),
      stop: () => void bounce(place)
    })
  }
  async function bounce(place: Place) {
    const [row] = await database.sql<{ ready: number }[]>`
      select count(*)::int as ready from pg_stat_activity where datname = current_database() and application_name like 'svc:ready:%'`
    others.push(row!.ready)
    await place.restarts.close()
    await bringUp(place)
    place.restarted += 1
  }

  for (let i = 0; i < 3; i++) {
    const place = { restarted: 0 } as Place
    await bringUp(place)
    places.push(place)
  }
  // Requested twice, by two administrators at once.
  await Promise.all([places[0]!.restarts.request(), places[1]!.restarts.request()])
  await until(() => places.every(place => place.restarted === 1))
  expect(others).toEqual([2, 2, 2])
  await Promise.all(places.map(({ restarts }) => restarts.close()))
})

it('an instance that lost its listening connection still gets the next restart', async () => {
  const { database, config } = world
  let stopped = false
  const stop = () => {
    stopped = true
  }
  const restarts = await createRestarts({ database, log: createLog(config), boot_id: randomUUID(), stop })
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'svc:ready:%'`
  await restarts.request()
  await until(() => stopped)
  await restarts.close()
})
