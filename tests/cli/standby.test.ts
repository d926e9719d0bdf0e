import { afterAll, beforeAll, expect, it } from 'vitest'
import { aFolder, svc } from '../support/cli.ts'
import { aPostgresPair, type PostgresPair } from '../support/database/postgres-pair.ts'

const folder = aFolder()
let pair: PostgresPair
let env: Record<string, string>
beforeAll(async () => {
  pair = await aPostgresPair()
  const settings = { SVC_STORAGE: folder.path, SVC_SECRET: 'a secret for tests, long enough to pass' }
  const migrated = await svc(['db', 'migrate'], { env: { ...settings, DATABASE_URL: pair.primary.url() } })
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  await pair.caughtUp()
  env = { ...settings, DATABASE_URL: pair.standby.url() }
})
afterAll(async () => {
  await pair.close()
  folder.remove()
})

it('a command that only reads works on a standby', async () => {
  expect(await svc(['modules', 'list'], { env })).toMatchObject({ code: 0, stderr: '' })
})

it('a command that writes ends on a standby with exit code 4, and names the host where it can run', async () => {
  const words = [
    'clinic',
    'create',
    '--name',
    'Sol',
    '--currency',
    'EUR',
    '--time-zone',
    'Europe/Madrid',
    '--locale',
    'es'
  ]
  const { code, stdout } = await svc([...words, '--json'], { env })
  expect(code).toBe(4)
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'database_read_only',
    message: 'The database is read-only: it is a standby, or default_transaction_read_only is on',
    hint: 'set DATABASE_URL to the server that accepts writes, or wait until this one is promoted'
  })
})

it('of several hosts the writable one is used; if none is writable, the command reports it', async () => {
  const list = (primary: number) =>
    svc(['modules', 'list'], {
      env: { ...env, DATABASE_URL: `postgres://postgres@127.0.0.1:${pair.standby.port},127.0.0.1:${primary}/postgres` }
    })
  expect((await list(pair.primary.port)).code).toBe(0)
  const { code, stderr } = await list(1)
  expect(code).toBe(4)
  expect(stderr).toContain('The database is read-only')
})
