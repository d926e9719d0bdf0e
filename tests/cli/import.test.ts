import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { start } from '../../server/core/runtime.ts'
import { aFolder, svc } from '../support/cli.ts'
import { official, root } from '../support/modules/official.ts'

const folder = aFolder()
const env = { SVC_STORAGE: join(folder.path, 'one'), SVC_SECRET: 'a secret for tests, long enough to pass' }
const run = (...words: string[]) => svc(words, { env })
const CLINIC = ['--clinic', 'Clínica Sol']

function aFile(name: string, ...rows: string[]): string {
  const file = join(folder.path, name)
  writeFileSync(file, rows.join('\n'))
  return file
}

/** Keeps the embedded server running between the commands. */
let database: Database
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: env.SVC_STORAGE, root })
  await run('db', 'migrate')
  const words = ['--name', 'Clínica Sol', '--currency', 'EUR', '--time-zone', 'Europe/Madrid', '--locale', 'es']
  expect((await run('clinic', 'create', ...words)).code).toBe(0)
  for (const module of ['clinical', 'catalog']) expect((await run('modules', 'install', module)).code).toBe(0)
  await (await start(readConfig(env, root), official)).close()
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

const patients = () => database.sql`select first_name, last_name from clinical_patient order by 1`

describe('svc import patients', () => {
  const file = aFile('patients.csv', 'Nombre;Apellidos;Correo electrónico', 'Ana;García;ana@x.example', 'Berta;Puig;')

  it('counts with --dry-run, and writes nothing', async () => {
    const { code, stdout, stderr } = await run('import', 'patients', file, ...CLINIC, '--dry-run', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, {
      kind: 'patients', dry_run: true, new: 2, changed: 0, same: 0, wrong: 0, errors: [],
      mapping: { first_name: 'Nombre', last_name: 'Apellidos', email: 'Correo electrónico' }
    }])
    expect(stderr).toContain('100 %  2 of 2 rows')
    expect(await patients()).toHaveLength(0)
    expect(await database.sql`select 1 from core_audit where action = 'import_run'`).toHaveLength(0)
  })

  it('writes the rows, and changes nothing with the same file again', async () => {
    const first = await run('import', 'patients', file, ...CLINIC)
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^Imported:\n {2}new +2\n {2}changed +0\n {2}same +0\n {2}wrong +0\n$/)])
    expect([...await patients()]).toEqual([
      { first_name: 'Ana', last_name: 'García' },
      { first_name: 'Berta', last_name: 'Puig' }
    ])
    const again = await run('import', 'patients', file, ...CLINIC, '--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { new: 0, changed: 0, same: 2, wrong: 0 }])
    expect(await database.sql`select 1 from core_audit where action = 'import_run'`).toHaveLength(2)
  })

  it('exits with 1 if rows have errors, names them, and writes the others', async () => {
    const wrong = aFile('wrong.csv', 'first_name,last_name,email', 'Carla,,nowhere@x.example', 'Dora,Sanz,')
    const { code, stdout, stderr } = await run('import', 'patients', wrong, ...CLINIC)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/new +1[\s\S]+wrong +1/)])
    expect(stderr).toContain('Line 2, last_name: Must not be empty.')
    const asJson = await run('import', 'patients', wrong, ...CLINIC, '--json')
    expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([1, {
      same: 1, wrong: 1, errors: [{ line: 2, column: 'last_name', message: 'Must not be empty.' }]
    }])
    expect(await patients()).toHaveLength(3)
  })
})

it('svc import treatments reads a file with the mapping', async () => {
  const file = aFile('prices.csv', 'K,Bezeichnung,Betrag', 'INL,Inlay,120.50')
  const map = aFile('map.json', JSON.stringify({ code: 'K', name: 'Bezeichnung', unit_price: 'Betrag' }))
  expect((await run('import', 'treatments', file, ...CLINIC, '--map', map)).code).toBe(0)
  expect([...await database.sql`select unit_price::int, name from catalog_treatment where code = 'INL'`]).toEqual([
    { unit_price: 12050, name: { es: 'Inlay' } }
  ])
})

it.each([
  ['an unknown kind', ['dentists', 'FILE', ...CLINIC], 2, 'usage'],
  ['no clinic', ['patients', 'FILE'], 2, 'usage'],
  ['an unknown clinic', ['patients', 'FILE', '--clinic', 'Nowhere'], 2, 'unknown_clinic'],
  ['a missing file', ['patients', join(folder.path, 'nothing.csv'), ...CLINIC], 2, 'usage'],
  ['a map that isn’t JSON', ['patients', 'FILE', ...CLINIC, '--map', 'FILE'], 2, 'usage'],
  ['an unknown field', ['patients', 'FILE', ...CLINIC, '--map', 'MAP'], 2, 'validation_failed']
])('%s is a usage error: exit code 2, and one document on stdout', async (_what, words, exit, error) => {
  const given: Record<string, string> = {
    FILE: aFile('right.csv', 'first_name,last_name', 'Eva,Roca'),
    MAP: aFile('odd.json', '{"shoe_size": "first_name"}')
  }
  const { code, stdout } = await run('import', ...words.map(word => given[word] ?? word), '--json')
  expect([code, JSON.parse(stdout).error.code]).toEqual([exit, error])
})
