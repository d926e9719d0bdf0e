import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { aFolder, svc } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const folder = aFolder()
const env = { SVC_STORAGE: join(folder.path, 'one'), SVC_SECRET: 'a secret for tests, long enough to pass' }
const run = (words: string[], input = '') => svc(words, { env, input })
const json = async (words: string[]) => {
  const { code, stdout } = await run([...words, '--json'])
  return { code, document: JSON.parse(stdout) }
}

/** Keeps the embedded server running between the commands. */
let database: Database
let ana: string
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: env.SVC_STORAGE, root })
  await run(['db', 'migrate'])
  for (const name of ['Clínica Sol', 'Clínica Luna'])
    await run([
      'clinic',
      'create',
      '--name',
      name,
      '--currency',
      'EUR',
      '--time-zone',
      'Europe/Madrid',
      '--locale',
      'es'
    ])
  const words = [
    'user',
    'create',
    '--email',
    'ana@sol.example',
    '--clinic',
    'Clínica Sol',
    '--role',
    'admin',
    '--instance-admin'
  ]
  ana = (await run(words, 'a horse of another colour\n')).stdout.trim()
  await run(['token', 'create', '--scope', 'metrics', '--name', 'prometheus'])
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

describe('the lists', () => {
  it('of users have email, state, rights and roles, but no password hash', async () => {
    const { stdout } = await run(['user', 'list'])
    expect(stdout.split('\n')[0]).toMatch(/^EMAIL +NAME +STATE +INSTANCE ADMIN +CLINICS$/)
    expect(stdout.split('\n')[1]).toMatch(/^ana@sol\.example +ana +active +yes +Clínica Sol \(admin\)$/)
    const { document } = await json(['user', 'list'])
    expect(document).toMatchObject([
      {
        id: ana,
        email: 'ana@sol.example',
        instance_admin: true,
        invited: false,
        memberships: [{ clinic: 'Clínica Sol', role: 'admin', active: true }]
      }
    ])
    expect(Object.keys(document[0])).toEqual([
      'id',
      'email',
      'first_name',
      'last_name',
      'instance_admin',
      'invited',
      'created_at',
      'memberships'
    ])
  })

  it('of clinics and tokens never contain a token\'s value', async () => {
    expect((await json(['clinic', 'list'])).document).toMatchObject([
      { name: 'Clínica Luna', currency: 'EUR', members: 0 },
      { name: 'Clínica Sol', members: 1 }
    ])
    expect((await run(['clinic', 'list'])).stdout).toMatch(/^NAME +CURRENCY +TIME ZONE +LANGUAGE +MEMBERS +ID\n/)
    const { document } = await json(['token', 'list'])
    expect(document).toMatchObject([{ name: 'prometheus', scope: 'metrics', state: 'active', expires_at: null }])
    expect(Object.keys(document[0])).toEqual(['id', 'name', 'scope', 'created_at', 'expires_at', 'state'])
    expect((await run(['token', 'list'])).stdout).toMatch(/metrics +active +\S+Z +- +prometheus\n$/)
  })
})

describe('a user', () => {
  it('whose password is reset without SMTP gets a link, which is printed once and alone on stdout', async () => {
    const { code, stdout } = await run(['user', 'reset-password', 'Ana@sol.example'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/localhost:3000\/password-reset#[\w-]{40,}\n$/)])
    const rows = await database.sql`select purpose, user_id from core_mailed_token where used_at is null`
    expect(rows.map(row => ({ ...row }))).toEqual([{ purpose: 'password_reset', user_id: ana }])
    expect((await run(['user', 'reset-password', 'nobody@sol.example'])).code).toBe(2)
  })

  it('who is deactivated loses access to every clinic and the instance, and all links', async () => {
    const { document, code } = await json(['user', 'deactivate', 'ana@sol.example'])
    expect([code, document]).toEqual([
      0,
      { id: ana, email: 'ana@sol.example', deactivated: true, without_admin: ['Clínica Sol'] }
    ])
    expect((await json(['user', 'list'])).document).toMatchObject([
      { instance_admin: false, memberships: [{ active: false }] }
    ])
    expect(await database.sql`select 1 from core_mailed_token where used_at is null`).toHaveLength(0)
    expect((await run(['user', 'deactivate', 'ana@sol.example'])).stdout).toBe('Nothing to do.\n')
    expect((await run(['user', 'list'])).stdout).toMatch(/deactivated +no +-\n$/)
  })
})

describe('settings', () => {
  it('are tested by mail test, which writes to the outbox without SMTP, or reports why SMTP fails', async () => {
    const { document } = await json(['mail', 'test', 'ana@sol.example'])
    expect(document).toMatchObject({ to: 'ana@sol.example', via: 'file' })
    const outbox = join(env.SVC_STORAGE, 'outbox')
    expect(readFileSync(join(outbox, readdirSync(outbox)[0]!), 'utf8')).toContain('Subject: Test message')
    expect((await run(['mail', 'test', 'nobody'])).code).toBe(2)
    const failed = await svc(['mail', 'test', 'ana@sol.example', '--json'], {
      env: { ...env, SVC_SMTP_URL: 'smtp://user:hunter2@127.0.0.1:1' }
    })
    expect([failed.code, JSON.parse(failed.stdout).error.code]).toEqual([1, 'mail_failed'])
    expect(failed.stdout + failed.stderr).not.toContain('hunter2')
  })

  it('are checked by config check, which names wrong ones with exit code 78 and prints no secret', async () => {
    const right = await run(['config', 'check'])
    expect(right).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The configuration is valid\.\n[\s\S]*^SVC_SECRET: set$/m)
    })
    expect(right.stdout).not.toContain(env.SVC_SECRET)
    expect((await json(['config', 'check'])).document).toMatchObject({
      ok: true,
      settings: { PORT: 3000, SVC_SMTP_URL: 'not set' }
    })
    expect((await svc(['config', 'check'], { env: { ...env, PORT: 'http' } })).code).toBe(78)
  })
})

describe('a whole instance', () => {
  const file = join(folder.path, 'all.sql')

  it('is dumped into a file that only its owner can read, and an existing file is kept', async () => {
    const { code, stdout, stderr } = await run(['db', 'dump', file])
    expect([code, stdout, statSync(file).mode & 0o777]).toEqual([0, `${file}\n`, 0o600])
    expect(stderr).toContain('SVC_SECRET')
    const again = await json(['db', 'dump', file])
    expect([again.code, again.document.error.code]).toEqual([1, 'file_exists'])
    expect((await json(['db', 'dump', join(folder.path, 'nowhere/all.sql')])).document.error.code).toBe('not_written')
  })

  it('is restored into an empty database, and refused for any other', async () => {
    const other = { ...env, SVC_STORAGE: join(folder.path, 'two') }
    const restored = await svc(['db', 'restore', file], { env: other })
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored \d+ rows in \d+ tables, written by version /)
    })
    expect((await svc(['user', 'list', '--json'], { env: other })).stdout).toBe(
      (await run(['user', 'list', '--json'])).stdout
    )
    expect(existsSync(join(other.SVC_STORAGE, 'secret'))).toBe(false)
    const full = await json(['db', 'restore', file])
    expect([full.code, full.document.error.code]).toEqual([3, 'not_empty'])
    expect((await run(['db', 'restore', join(folder.path, 'nothing.sql')])).code).toBe(2)
  })
})

describe('an operator can help a user', () => {
  let id: string
  beforeAll(async () => {
    const words = ['user', 'create', '--email', 'eva@sol.example', '--clinic', 'Clínica Sol', '--role', 'dentist']
    id = (await run(words, 'a horse of another colour\n')).stdout.trim()
  })
  const hashOf = async () => (await database.sql`select password_hash from core_user where id = ${id}`)[0]!.password_hash

  it('with a new password, read from standard input, unless it is too short', async () => {
    const before = await hashOf()
    expect((await run(['user', 'password', 'Eva@sol.example'], 'a mare of another colour\n')).code).toBe(0)
    expect(await hashOf()).not.toBe(before)
    expect((await run(['user', 'password', 'eva@sol.example'], 'short\n')).code).not.toBe(0)
    expect((await run(['user', 'password', 'nobody@sol.example'], 'a mare of another colour\n')).code).toBe(2)
  })

  it('by resetting the second factor, if there is one', async () => {
    const { code, document } = await json(['user', 'reset-factor', 'eva@sol.example'])
    expect([code, document]).toEqual([0, { id, email: 'eva@sol.example', reset: false }])
    expect((await run(['user', 'reset-factor', 'nobody@sol.example'])).code).toBe(2)
  })

  it('by a link for adding a first second factor, also on an instance without mail', async () => {
    const { code, document } = await json(['user', 'enrolment-link', 'eva@sol.example'])
    const url = expect.stringMatching(/\/enrolment#[\w-]{43}$/)
    expect([code, document]).toEqual([0, { id, email: 'eva@sol.example', url }])
    expect((await run(['user', 'enrolment-link', 'nobody@sol.example'])).code).toBe(2)
  })
})

it.each([
  'user list',
  'user reset-password',
  'user password',
  'user reset-factor',
  'user enrolment-link',
  'user deactivate',
  'clinic list',
  'token list',
  'mail test',
  'config check',
  'db dump',
  'db restore'
])('svc %s --help has an example', async (words) => {
  const { code, stdout } = await run([...words.split(' '), '--help'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`EXAMPLES\n\n.*svc ${words}`))])
})
