import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { start } from '../../server/core/runtime.ts'
import expected from '../fixtures/imports/expected.json' with { type: 'json' }
import { aFolder, svc } from '../support/cli.ts'
import { official, root } from '../support/modules/official.ts'

const FIXTURES = join(root, 'tests/fixtures/imports/systems')
const folder = aFolder()
const env = { SVC_STORAGE: join(folder.path, 'one'), SVC_SECRET: 'a secret for tests, long enough to pass' }
const run = (...words: string[]) => svc(words, { env })

/** Keeps the embedded server running between the commands. */
let database: Database
beforeAll(async () => {
  database = await openDatabase({ database_url: null, storage: env.SVC_STORAGE, root })
  await run('db', 'migrate')
  for (const module of ['clinical', 'catalog']) expect((await run('modules', 'install', module)).code).toBe(0)
  await (await start(readConfig(env, root), official)).close()
  for (const [name, { locale, country, currency, time_zone }] of Object.entries(expected.clinics)) {
    const words = ['--name', name, '--currency', currency, '--time-zone', time_zone, '--locale', locale]
    expect((await run('clinic', 'create', ...words)).code).toBe(0)
    await database.sql`update core_clinic set country = ${country} where name = ${name}`
  }
}, 240_000)
afterAll(async () => {
  await database.close()
  folder.remove()
})

it('every file of the folder has a case in the tests', () => {
  expect(expected.files.map(({ file }) => file).sort()).toEqual(readdirSync(FIXTURES).sort())
})

it.each(expected.files)('svc import --dry-run of $file counts the rows as a person would', async (given) => {
  const { file, kind, clinic, map, ...wanted } = given as typeof given & { map?: Record<string, string> }
  const words = [kind, join(FIXTURES, file), '--clinic', clinic, '--dry-run', '--json']
  if (map) {
    const path = join(folder.path, 'map.json')
    writeFileSync(path, JSON.stringify(map))
    words.push('--map', path)
  }
  const { code, stdout, stderr } = await run('import', ...words)
  const { form, lost, ...rest } = JSON.parse(stdout)
  const { new: added, changed, same, wrong } = rest
  expect({
    encoding: form.encoding,
    header_line: form.header_line,
    passed_over: form.passed_over,
    mapping: rest.mapping,
    counts: { new: added, changed, same, wrong },
    errors: rest.errors.map(({ line }: { line: number }) => line),
    lost: lost.first.map(({ line, value }: { line: number, value: string }) => `${line}: ${value}`)
  }, stderr).toEqual(wanted)
  expect(code).toBe(wrong > 0 ? 1 : 0)
})
