import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp, toWebHandler } from 'h3'
import { boot, ready, shutDown } from '../../../server/boot.ts'
import { takeBootLock } from '../../../server/core/db/lock.ts'
import readyz from '../../../server/routes/readyz.ts'
import { coreOnly } from '../../support/modules/official.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
  const { root, database_url, secret } = world.config
  const env = { SVC_ROOT: root, DATABASE_URL: database_url!, SVC_SECRET: secret!, LOG_LEVEL: 'silent' }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
})
afterEach(async () => {
  await shutDown()
  vi.unstubAllEnvs()
  await world.close()
})

test('/readyz shows which process a start waits for, and is 200 once API and pages can be answered', async () => {
  const handle = toWebHandler(createApp().use(readyz))
  const ask = async () => {
    const answer = await handle(new Request('http://localhost/readyz'))
    return { status: answer.status, body: await answer.json() as object }
  }
  const lock = await takeBootLock(world.database)
  const pages = Promise.withResolvers<undefined>()
  const booting = boot(coreOnly, { pages: () => pages.promise })
  const reason = expect.stringMatching(/^waiting for the boot lock, held by pid \d+ \(svc:boot/)
  await expect.poll(ask).toEqual({ status: 503, body: { status: 'starting', boot_id: null, reason } })
  await lock.release()
  const { host } = await ready
  const { boot_id } = host
  expect(await ask()).toEqual({ status: 503, body: { status: 'starting', boot_id } })
  pages.resolve(undefined)
  await booting
  expect(await ask()).toEqual({ status: 200, body: { status: 'ready', boot_id } })
})
