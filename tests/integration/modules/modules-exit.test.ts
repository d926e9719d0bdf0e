import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aWorld, type World } from '../../support/modules/modules.ts'

/** Runs in a separate process, because the test runner replaces `process.exit`. */
const script = join(import.meta.dirname, '../../support/database/boot-and-die.ts')
let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

test('a package that ends the process, at import or in its hook, is marked as failed with the reason, and the start continues', async () => {
  world.write('leaves', { code: 'process.exit(0)\nexport default {}' })
  world.write('leaves_late', {
    code: 'setTimeout(() => { try { process.exit(0) } catch {} })\nawait new Promise(resolve => setTimeout(resolve, 50))\nexport default {}'
  })
  world.write('leaves_inside', { code: 'export default { hooks: { async install() { process.exit(3) } } }' })
  world.write('stays')
  const { root, storage, database_url, secret } = world.config
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database_url!,
    SVC_SECRET: secret!,
    SVC_STORAGE: storage,
    LOG_LEVEL: 'silent'
  }
  const { stdout } = await promisify(execFile)(process.execPath, [script, root, '0', 'after'], { env })
  expect(JSON.parse(stdout)).toHaveProperty('pieces')

  const rows = await world.rows()
  expect(rows.leaves).toMatchObject({
    state: 'to_install',
    error_message: expect.stringContaining('it called process.exit(0)')
  })
  expect(rows.leaves_inside).toMatchObject({
    state: 'to_install',
    error_message: expect.stringContaining('it called process.exit(3)')
  })
  expect(rows).toMatchObject({
    leaves_late: { state: 'installed' },
    stays: { state: 'installed', error_message: null }
  })
})
