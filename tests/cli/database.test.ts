import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { aFolder, cleanEnv, svc, textOf } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'
import released from '../../layers/budget/package.json' with { type: 'json' }

const folder = aFolder()
const env = { SVC_STORAGE: folder.path }
const json = async (words: string[]) => {
  const { code, stdout } = await svc([...words, '--json'], { env })
  return { code, document: JSON.parse(stdout) }
}

/** Keeps the embedded server running between the commands. */
let database: Database
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: folder.path, root })
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

describe('a database that does not answer', () => {
  it('ends a command with exit code 4, and the message contains no password', async () => {
    const { code, stdout, stderr } = await svc(['modules', 'list'], {
      env: { DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' }
    })
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).not.toContain('hunter2')
  })

  it('is reported as one JSON document with --json', async () => {
    const { code, stdout } = await svc(['token', 'create', '--scope', 'admin', '--json'], {
      env: { DATABASE_URL: 'postgres://127.0.0.1:1/svc' }
    })
    expect(code).toBe(4)
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'database_unreachable' })
  })
})

describe('on an empty database', () => {
  it('commands that need the tables end with exit code 4 and a hint to migrate', async () => {
    const { code, stderr } = await svc(['modules', 'list'], { env })
    expect(code).toBe(4)
    expect(stderr).toContain('relation "core_module" does not exist')
    expect(stderr).toContain('svc db migrate')
    expect(
      (
        await json([
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
        ])
      ).document.error
    ).toMatchObject({ code: 'database_not_migrated', hint: 'svc db migrate' })
  })

  it('db migrate creates the tables, and has nothing to do the second time', async () => {
    const first = await json(['db', 'migrate'])
    expect(first.code).toBe(0)
    expect(first.document.applied).toContain('0000_core')
    expect((await svc(['db', 'migrate'], { env })).stdout).toBe('Nothing to do.\n')
  })
})

describe('modules', () => {
  beforeAll(async () => {
    const { sql } = database
    await sql`insert into core_module (name, state, version, category, error_message) values
      ('catalog', 'installed', '0.1.0', 'official', null),
      ('gone', 'installed', '1.2.3', 'community', null),
      ('budget', 'to_install', null, 'official', 'the seed was refused')`
    const broken = join(folder.path, 'modules/node_modules/svc-module-broken')
    mkdirSync(broken, { recursive: true })
    writeFileSync(
      join(broken, 'package.json'),
      JSON.stringify({ name: 'svc-module-broken', version: '1.0.0', svc: { name: 'broken', depends: 'budget' } })
    )
  })

  it('list is an aligned table, sorted by name, that shows broken, pending and missing modules', async () => {
    const { code, stdout, stderr } = await svc(['modules', 'list'], { env })
    expect(code).toBe(0)
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^NAME +VERSION +STATE +CATEGORY +DEPENDS$/)
    const cells = lines.map(line => line.split(/ {2,}/))
    expect(cells.every(row => row.length === 5)).toBe(true)
    expect(cells.slice(1).map(([name]) => name)).toEqual(cells.slice(1).map(([name]) => name).toSorted())
    expect(cells.find(([name]) => name === 'budget')).toEqual([
      'budget',
      released.version,
      'to_install (error)',
      'official',
      'clinical,catalog'
    ])
    expect(cells.find(([name]) => name === 'gone')).toEqual(['gone', '1.2.3', 'installed', 'community', '-'])
    expect(new Set(lines.map(line => line.indexOf(line.split(/ {2,}/)[1]!))).size).toBe(1)
  })

  it('list --json is a plain array with the fields of the specification', async () => {
    const { document } = await json(['modules', 'list'])
    const budget = document.find((module: { name: string }) => module.name === 'budget')
    expect(Object.keys(budget)).toEqual([
      'name',
      'version',
      'disk_version',
      'state',
      'category',
      'removable',
      'auto_install',
      'installed_at',
      'last_state_change',
      'applied_revision',
      'error_message',
      'error_at',
      'summary',
      'depends',
      'in_disk'
    ])
    expect(budget).toMatchObject({
      state: 'to_install',
      version: null,
      disk_version: released.version,
      removable: false,
      error_message: 'the seed was refused',
      in_disk: true
    })
    expect(budget.last_state_change).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(document.find((module: { name: string }) => module.name === 'gone')).toMatchObject({
      in_disk: false,
      disk_version: null
    })
    expect(document.find((module: { name: string }) => module.name === 'broken')).toMatchObject({
      state: 'uninstalled',
      in_disk: true
    })
  })

  it('info prints lines of key: value, and a list item with operations as JSON', async () => {
    const { stdout } = await svc(['modules', 'info', 'gone'], { env })
    const keys = stdout.trimEnd().split('\n').map(line => line.slice(0, line.indexOf(':')))
    expect(keys).toEqual([
      'name',
      'version',
      'disk version',
      'state',
      'category',
      'applied revision',
      'installed at',
      'last state change',
      'error',
      'depends'
    ])
    expect(stdout).toContain('version: 1.2.3\n')
    expect(stdout).toContain('applied revision: -\n')
    expect((await json(['modules', 'info', 'gone'])).document).toMatchObject({ name: 'gone', operations: [] })
  })

  it('info of an unknown module ends with exit code 2', async () => {
    expect((await svc(['modules', 'info', 'nothing'], { env })).code).toBe(2)
    expect((await json(['modules', 'info', 'nothing'])).document.error.code).toBe('unknown_module')
  })

  it('status counts modules per state, and names the pending and the failed ones', async () => {
    const { document } = await json(['modules', 'status'])
    expect(document).toMatchObject({ pending: ['budget'], errored: ['budget'] })
    expect(document.by_state).toMatchObject({ installed: 2, to_install: 1 })
    expect(document.total).toBe(Object.values<number>(document.by_state).reduce((a, b) => a + b))
    expect((await svc(['modules', 'status'], { env })).stdout).toContain('budget: the seed was refused')
  })

  it.runIf(existsSync('/dev/full'))('a full disk is reported in a sentence, and the command fails', async () => {
    const shell = spawn('bash', ['-c', `"${join(root, 'bin/svc')}" modules list > /dev/full`], {
      env: cleanEnv(env),
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const stderr = textOf(shell.stderr)
    expect(await new Promise(resolve => shell.on('close', resolve))).toBe(1)
    expect(stderr()).toMatch(/^✖ The output cannot be written: ENOSPC[^\n]*\n$/)
  })

  it('a reader that closes the pipe gets no error message', async () => {
    const shell = spawn('bash', ['-c', `set -o pipefail; "${join(root, 'bin/svc')}" modules list --json | true`], {
      env: cleanEnv(env),
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const stderr = textOf(shell.stderr)
    const code = await new Promise(resolve => shell.on('close', resolve))
    expect({ code, stderr: stderr() }).toEqual({ code: 0, stderr: '' })
  })
})

describe('clinics, users and tokens', () => {
  it('can be created: a clinic, then a user whose password comes from standard input', async () => {
    const clinic = await json([
      'clinic',
      'create',
      '--name',
      'Clínica Sol',
      '--currency',
      'EUR',
      '--time-zone',
      'Europe/Madrid',
      '--locale',
      'es'
    ])
    expect(clinic.code).toBe(0)
    const words = ['user', 'create', '--email', 'Ana@sol.example', '--clinic', 'clínica sol', '--role', 'dentist']
    const user = await svc(words, { env, input: 'correct horse\n' })
    expect(user).toMatchObject({ code: 0, stderr: '' })
    const [row] = await database.sql`
      select u.email, u.password_hash, m.role, m.clinic_id from core_user u join core_membership m on m.user_id = u.id where u.id = ${user.stdout.trim()}`
    expect(row).toMatchObject({ email: 'ana@sol.example', role: 'dentist', clinic_id: clinic.document.id })
    expect(row!.password_hash).not.toContain('correct horse')
  })

  it('are refused with exit code 2 for each missing or wrong value, which is named', async () => {
    const words = ['user', 'create', '--email', 'eva@sol.example', '--clinic', 'Clínica Sol', '--role', 'dentist']
    expect((await svc(words, { env })).code).toBe(2)
    expect(
      (
        await svc(['user', 'create', '--email', 'eva@sol.example', '--clinic', 'Luna', '--role', 'dentist'], {
          env,
          input: 'correct horse'
        })
      ).code
    ).toBe(2)
    const wrong = await svc(
      ['clinic', 'create', '--name', 'Luna', '--currency', 'EURO', '--time-zone', 'Mars/Base', '--locale', 'es'],
      { env }
    )
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(/--currency: .*\n.*--time-zone: /)
  })

  it('include a token, which is printed alone on stdout and stops working when it is revoked', async () => {
    const plain = await svc(['token', 'create', '--scope', 'admin'], { env })
    expect(plain.stdout).toMatch(/^svct_[\w-]{40,}\n$/)
    const { document } = await json(['token', 'create', '--scope', 'admin', '--name', 'ci', '--expires', '90d'])
    expect(Object.keys(document)).toEqual(['id', 'token'])
    expect((await svc(['token', 'revoke', document.id], { env })).stdout).toBe('Revoked.\n')
    expect((await svc(['token', 'revoke', document.id], { env })).stdout).toBe('Nothing to do.\n')
    expect((await svc(['token', 'revoke', 'nothing'], { env })).code).toBe(2)
  })
})
