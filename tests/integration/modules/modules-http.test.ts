import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { writeModule } from '../../support/modules/modules.ts'

let instance: Instance
let admin: Caller
const base = '/api/v1/modules'
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.asInstanceAdmin()
  const community = join(instance.storage, 'modules/node_modules')
  writeModule(join(community, 'svc-module-recall'), 'recall', {
    depends: ['clinical'],
    migrations: { '0000_recall.sql': 'create table recall_entry (id integer)' }
  })
})
afterAll(() => instance.close())

const state = async (name: string) => (await admin.get(`${base}/${name}`)).body.data.state

describe('access to module operations', () => {
  const calls = ['install', 'upgrade', 'uninstall', 'orphan', 'cancel'].map(
    command => ['post', `${base}/recall/${command}`] as const
  )
  it.each([
    ...calls,
    ['post', `${base}/-/restart`],
    ['get', `${base}/-/doctor`],
    ['get', `${base}/-/backups`]
  ] as const)('%s %s requires an instance administrator', async (method, path) => {
    const clinicAdmin = await instance.as('admin')
    expect(await clinicAdmin[method](path)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: 'Permission denied: modules.manage' }
    })
    expect(await instance.anonymous()[method](path)).toMatchObject({ status: 401 })
  })
})

describe('a command', () => {
  it('that schedules is 202 with what a restart will do', async () => {
    expect(await admin.post(`${base}/recall/install`)).toMatchObject({
      status: 202,
      body: { data: { scheduled: ['recall'], requires_restart: true } }
    })
    expect(await state('recall')).toBe('to_install')
    expect((await admin.post(`${base}/recall/cancel`, {})).status).toBe(202)
    expect(await state('recall')).toBe('uninstalled')
  })

  it('that has nothing to do is 200 with an empty list and a message', async () => {
    expect(await admin.post(`${base}/budget/install`)).toMatchObject({
      status: 200,
      body: { data: { scheduled: [], requires_restart: false, message: 'Nothing to do.' } }
    })
    expect((await admin.post(`${base}/budget/upgrade`)).body.data).toEqual({
      scheduled: [],
      requires_restart: false,
      message: 'Module is already at the declared version.'
    })
  })

  it('that a guardrail refuses is 409 with its text and every reason', async () => {
    const { status, body } = await admin.post(`${base}/clinical/uninstall`, {})
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'module_refused',
      reasons: [expect.stringMatching(/required by .*budget/), expect.stringContaining('removable is false')]
    })
    expect((await admin.post(`${base}/budget/orphan`)).status).toBe(409)
  })

  it.each([
    [
      'clinical/uninstall',
      'Cannot uninstall clinical: clinical is required by billing, budget; clinical is part of the service (removable is false). '
      + 'Uninstall billing, budget first, or use force. Use force to uninstall a part of the service.'
    ],
    [
      'reports/uninstall',
      'Cannot uninstall reports: reports has no Alembic branch, so its removal could not be undone: it cannot be removed, even with --force; '
      + 'reports is part of the service (removable is false). It stays installed.'
    ],
    [
      'budget/orphan',
      'Cannot mark budget as uninstalled: the code of budget is on disk. Run svc modules uninstall budget.'
    ],
    ['recall/upgrade', 'Cannot upgrade recall: recall is not installed. Run svc modules install recall.']
  ])('%s is refused with a sentence that explains what to do', async (call, detail) => {
    expect(await admin.post(`${base}/${call}`, {})).toMatchObject({
      status: 409,
      body: { code: 'module_refused', detail }
    })
  })

  it('with dry_run is 200 with the plan and the guardrails, and changes nothing', async () => {
    const { status, body } = await admin.post(`${base}/clinical/uninstall`, { dry_run: true, force: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      scheduled: ['clinical'],
      guardrails: [],
      plan: [{ name: 'clinical', operation: 'uninstall' }]
    })
    expect(body.data.plan[0].tables).toContainEqual({ name: 'clinical_patient', rows: 0 })
    expect(await state('clinical')).toBe('installed')
  })

  it('with an unknown name is 404, and with unknown fields 422', async () => {
    expect((await admin.post(`${base}/nothing/install`)).status).toBe(404)
    expect((await admin.post(`${base}/recall/install`, { force: true })).status).toBe(422)
  })
})

describe('the readable resources', () => {
  it('include the doctor\'s report, the same as on the command line', async () => {
    const { body } = await admin.get(`${base}/-/doctor`)
    expect(body.data.advice.map(({ code }: { code: string }) => code)).not.toContain('schema_not_compared')
    expect(body.data).toMatchObject({
      ok: true,
      orphans: [],
      missing_dependencies: [],
      manifest_errors: [],
      errored_modules: [],
      integrity: []
    })
  })

  it('include backups, listed newest first', async () => {
    expect((await admin.get(`${base}/-/backups`)).body.data).toEqual([])
    const folder = join(instance.storage, 'backups')
    mkdirSync(folder)
    for (const [file, created_at] of [
      ['module_recall_20260101T000000Z.sql', '2026-01-01T00:00:00.000Z'],
      ['module_recall_20260201T000000Z.sql', '2026-02-01T00:00:00.000Z']
    ] as const) {
      writeFileSync(join(folder, file), '')
      writeFileSync(
        join(folder, `${file}.json`),
        JSON.stringify({
          module: 'recall',
          version: '1.0.0',
          revision: '0000_recall',
          created_at,
          sha256: '0'.repeat(64),
          bytes: 0,
          rows: { recall_entry: 0 }
        })
      )
    }
    const { body } = await admin.get(`${base}/-/backups`)
    expect(body.data.map(({ file }: { file: string }) => file)).toEqual([
      'module_recall_20260201T000000Z.sql',
      'module_recall_20260101T000000Z.sql'
    ])
    expect(body.data[0]).toMatchObject({ module: 'recall', version: '1.0.0', rows: { recall_entry: 0 } })
  })
})

it('a restart is refused with 409 while the code of installed modules is missing, and nothing ends', async () => {
  await instance.sql`
    insert into core_module (name, state, category) values ('gone', 'installed', 'community'), ('lost', 'to_remove', 'community')`
  expect(await admin.post(`${base}/-/restart`)).toMatchObject({
    status: 409,
    body: {
      code: 'orphan_modules',
      modules: ['gone', 'lost'],
      detail: 'The service would not start again: gone, lost are installed, but their code is not on disk. '
        + 'Restore their packages, or mark them as uninstalled: svc modules orphan gone && svc modules orphan lost'
    }
  })
  await instance.sql`delete from core_module where name in ('gone', 'lost')`
  expect((await admin.get(base)).status).toBe(200)
})

it('a restart is answered with 202 and the id of the boot that ends, and then this instance is stopped', async () => {
  const { boot_id } = instance.runtime.host
  const isReady = async () =>
    (await instance.sql`select from pg_stat_activity where application_name = ${`svc:ready:${boot_id}`}`).length > 0
  expect(await isReady()).toBe(true)
  expect(await admin.post(`${base}/-/restart`)).toMatchObject({
    status: 202,
    body: { data: { status: 'restarting', boot_id } }
  })
  await eventually(async () => !await isReady(), 'its end')
})
