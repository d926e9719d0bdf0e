import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPatient } from '../../support/builders.ts'
import { aFolder, svc, type Env } from '../../support/cli.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let env: Env
const folder = aFolder()
beforeAll(async () => {
  instance = await anInstance()
  const { database_url, storage } = instance.runtime.host.config
  env = { DATABASE_URL: database_url!, SVC_STORAGE: storage, SVC_SECRET: 'a secret for tests, long enough to pass' }
})
afterAll(async () => {
  await instance.close()
  folder.remove()
})

const ODD = { first_name: 'Xochitl', last_name: 'Quetzalcóatl', email: 'xochitl@odd.test' }
const aPerson = async () => (await aPatient(await instance.as('admin'), ODD)).id as string

describe('svc privacy export', () => {
  test('writes a ZIP that only its owner can read, prints only the path, and overwrites nothing', async () => {
    const id = await aPerson()
    const file = join(folder.path, 'out.zip')
    const { code, stdout } = await svc(['privacy', 'export', id, '--out', file], { env })
    expect([code, stdout]).toEqual([0, `${file}\n`])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Object.keys(unzipSync(readFileSync(file)))).toContain('export.json')

    writeFileSync(file, 'mine')
    const again = await svc(['privacy', 'export', id, '--out', file], { env })
    expect([again.code, again.stdout, again.stderr]).toEqual([1, '', expect.stringContaining('exists already')])
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('prints one JSON document with --json, and reports where it cannot write', async () => {
    const id = await aPerson()
    const file = join(folder.path, 'json.zip')
    const { code, stdout } = await svc(['privacy', 'export', id, `--out=${file}`, '--json'], { env })
    expect([code, JSON.parse(stdout)]).toEqual([0, { file, bytes: statSync(file).size }])
    const nowhere = await svc(['privacy', 'export', id, '--out', join(folder.path, 'no/such/folder.zip'), '--json'], {
      env
    })
    expect([nowhere.code, JSON.parse(nowhere.stdout).error.code]).toEqual([1, 'not_written'])
  })
})

describe('svc privacy erase', () => {
  test('reports in a dry run and changes nothing, and erases while a server runs', async () => {
    const id = await aPerson()
    const rehearsed = await svc(['privacy', 'erase', id, '--dry-run'], { env })
    expect([rehearsed.code, rehearsed.stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^Nothing was changed. Patient ${id}:\n\nWould be erased:\n  - clinical: patient \\(1\\)`)
      )
    ])
    expect((await (await instance.as('admin')).get(`/api/v1/clinical/patients/${id}`)).body.data.first_name).toBe(
      'Xochitl'
    )

    const { code, stdout, stderr } = await svc(['privacy', 'erase', id, '--yes', '--json'], { env })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { dry_run: false, person: { id }, erased: [{ module: 'clinical', what: 'patient', count: 1 }] }
    ])
    expect(stdout + stderr + rehearsed.stdout).not.toMatch(/Xochitl|odd\.test/)
    expect((await (await instance.as('admin')).get(`/api/v1/clinical/patients/${id}`)).body.data.first_name).toBe('')
    const [event]
      = await instance.sql`select payload from core_event where name = 'person.erased' and payload->>'patient_id' = ${id}`
    expect(event!.payload.erased_by).toBeNull()
  })

  test('asks before it erases, and requires --yes without a terminal (2)', async () => {
    const id = await aPerson()
    const { code, stdout } = await svc(['privacy', 'erase', id, '--json'], { env })
    expect([code, JSON.parse(stdout).error]).toEqual([
      2,
      {
        code: 'usage',
        message: 'Erasing cannot be undone. Confirm it with --yes.',
        hint: '--dry-run shows what would be erased'
      }
    ])
    const admin = await instance.as('admin')
    expect((await admin.get(`/api/v1/clinical/patients/${id}`)).body.data.first_name).toBe('Xochitl')
  })

  test('reports a malformed id (2), an unknown id (2), and a missing instance secret (1)', async () => {
    const id = randomUUID()
    const malformed = await svc(['privacy', 'erase', 'Xochitl', '--yes'], { env })
    expect([malformed.code, malformed.stdout, malformed.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/USAGE|svc privacy erase/)
    ])
    const unknown = await svc(['privacy', 'erase', id, '--yes', '--json'], { env })
    expect([unknown.code, JSON.parse(unknown.stdout).error]).toEqual([
      2,
      { code: 'unknown_patient', message: `There is no patient with the id "${id}".`, hint: null }
    ])
    const { SVC_SECRET: _, ...withoutSecret } = env
    const secretless = await svc(['privacy', 'erase', id, '--yes', '--json'], { env: withoutSecret })
    expect([
      secretless.code,
      JSON.parse(secretless.stdout).error.code,
      existsSync(join(instance.storage, 'secret'))
    ]).toEqual([1, 'secret_unknown', false])
  })

  test('is refused while an installed module does not run (3)', async () => {
    const id = await aPerson()
    await instance.sql`insert into core_module (name, state, category, version) values ('notes', 'to_remove', 'community', '1.0.0')`
    const { code, stdout } = await svc(['privacy', 'erase', id, '--yes', '--json'], { env })
    await instance.sql`delete from core_module where name = 'notes'`
    expect([code, JSON.parse(stdout).error]).toMatchObject([
      3,
      { code: 'module_not_running', message: expect.stringContaining('notes') }
    ])
  })
})
