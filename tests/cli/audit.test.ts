import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { aFolder, svc } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const folder = aFolder()
const env = { SVC_STORAGE: folder.path, SVC_SECRET: 'a secret for tests, long enough to pass' }
const run = (words: string[], input = '') => svc(words, { env, input })
const list = async (...words: string[]) => {
  const { code, stdout } = await run(['audit', 'list', ...words, '--json'])
  return { code, rows: JSON.parse(stdout) }
}

/** Keeps the embedded server running between the commands. */
let database: Database
const ids: Record<string, string> = {}
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: env.SVC_STORAGE, root })
  await run(['db', 'migrate'])
  const settings = ['--currency', 'EUR', '--time-zone', 'Europe/Madrid', '--locale', 'es']
  for (const name of ['Clínica Sol', 'Clínica Luna']) await run(['clinic', 'create', '--name', name, ...settings])
  for (const [email, clinic] of [['ana@sol.example', 'Clínica Sol'], ['eva@luna.example', 'Clínica Luna']] as const) {
    const words = ['user', 'create', '--email', email, '--clinic', clinic, '--role', 'admin']
    ids[email] = (await run(words, 'a horse of another colour\n')).stdout.trim()
  }
  await run(['user', 'password', 'ana@sol.example'], 'a mare of another colour\n')
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

describe('svc audit list', () => {
  it('shows the rows of all clinics and the instance, newest first', async () => {
    const { code, stdout } = await run(['audit', 'list'])
    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect([code, head]).toEqual([0, expect.stringMatching(/^AT +CLINIC +ACTOR +ACTION +TARGET +ADDRESS$/)])
    expect(lines[0]).toMatch(new RegExp(`^\\S+Z +Clínica Sol +operator +password_changed +user ${ids['ana@sol.example']} +-$`))
    const times = lines.map(line => line.split(' ')[0]!)
    expect(times).toEqual(times.toSorted().reverse())
  })

  it('prints one JSON document with --json', async () => {
    const { code, rows } = await list()
    expect(code).toBe(0)
    expect(rows[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { type: 'system', id: null, name: 'operator' },
      action: 'password_changed',
      target: { kind: 'user', id: ids['ana@sol.example'] },
      detail: expect.any(Object),
      address: null,
      clinic: { id: expect.any(String), name: 'Clínica Sol' }
    })
    expect(new Set(rows.map((row: { clinic: { name: string } | null }) => row.clinic?.name)))
      .toEqual(new Set(['Clínica Sol', 'Clínica Luna']))
  })

  it('can be filtered by clinic and action, and limited to a number of rows', async () => {
    const { rows } = await list('--clinic', 'clínica luna')
    expect(rows.map((row: { action: string, target: object }) => [row.action, row.target]))
      .toEqual([['member_added', { kind: 'user', id: ids['eva@luna.example'] }]])
    const added = (await list('--action', 'member_added')).rows
    expect(added.map((row: { clinic: { name: string } }) => row.clinic.name)).toEqual(['Clínica Luna', 'Clínica Sol'])
    expect((await list('--action', 'member_added', '--limit', '1')).rows).toEqual([added[0]])
    expect((await list('--action', 'person_erased')).rows).toEqual([])
  })

  it.each([
    ['a limit that isn\'t a number', ['--limit', 'many'], 'usage'],
    ['a limit of zero', ['--limit', '0'], 'usage'],
    ['an unknown action', ['--action', 'lunch'], 'usage'],
    ['an unknown option', ['--since', 'yesterday'], 'usage'],
    ['an unknown clinic', ['--clinic', 'Clínica Marte'], 'unknown_clinic']
  ])('exits with 2 for %s', async (_, words, error) => {
    const { code, stdout, stderr } = await run(['audit', 'list', ...words, '--json'])
    expect([code, JSON.parse(stdout).error.code]).toEqual([2, error])
    expect(stderr).not.toContain(' at ')
  })

  it('has help with an example', async () => {
    const { code, stdout } = await run(['audit', 'list', '--help'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/EXAMPLES\n\n.*svc audit list/)])
  })
})
