import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { aFolder, svc } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const folder = aFolder()
const env = { SVC_STORAGE: join(folder.path, 'one'), SVC_SECRET: 'a secret for tests, long enough to pass' }
const run = (words: string[]) => svc(words, { env })
const CODE = /^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}$/

/** Keeps the embedded server running between the commands. */
let database: Database
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: env.SVC_STORAGE, root })
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

describe('svc setup code', () => {
  it('explains what to do before the first migration', async () => {
    const { code, stderr } = await run(['setup', 'code'])
    expect([code, stderr]).toEqual([4, expect.stringContaining('svc db migrate')])
    await run(['db', 'migrate'])
  })

  it('prints only the code, which is new each time', async () => {
    const first = await run(['setup', 'code'])
    const second = await run(['setup', 'code'])
    expect([first.code, second.code, first.stderr]).toEqual([0, 0, ''])
    expect(first.stdout.trimEnd()).toMatch(CODE)
    expect(second.stdout.trimEnd()).toMatch(CODE)
    expect(second.stdout).not.toBe(first.stdout)
  })

  it('prints the address of the page too with --json', async () => {
    const { stdout } = await run(['setup', 'code', '--json'])
    expect(JSON.parse(stdout)).toEqual({ code: expect.stringMatching(CODE), url: 'http://localhost:3000/setup' })
  })

  it('is refused once a clinic exists', async () => {
    const words = ['--name', 'Sol', '--currency', 'EUR', '--time-zone', 'Europe/Madrid', '--locale', 'es']
    expect((await run(['clinic', 'create', ...words])).code).toBe(0)
    const { code, stdout, stderr } = await run(['setup', 'code'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('There is a clinic already')
    const asJson = await run(['setup', 'code', '--json'])
    expect([asJson.code, JSON.parse(asJson.stdout).error.code]).toEqual([3, 'set_up_already'])
  })
})
