import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFiles } from '../../../server/core/files/index.ts'
import { examine, type Diagnosis } from '../../../server/core/doctor/doctor.ts'
import { listedLayers, syncFrontend } from '../../../server/core/modules/sync-frontend.ts'
import { readConfig } from '../../../server/core/config.ts'
import { inDays } from '../../support/outside/certificates.ts'
import { aWorld, writeModule, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const migrations = {
  '0000_first.sql': `create table base_thing (id integer primary key, name text not null default 'x', parent integer references "public"."base_thing"(id));
--> statement-breakpoint
create index base_thing_name on base_thing (name)`,
  '0000_first.down.sql': 'drop table base_thing'
}

async function examined(): Promise<Diagnosis> {
  const { host } = await world.boot()
  return examine({
    ...host,
    sql: world.database.sql,
    config: world.config,
    modules: host.registry.modules,
    broken: host.registry.broken
  })
}
/** Runs without a start before, which a fault might prevent. */
const looked = (
  config: Partial<World['config']> = {},
  operator_certificate: Parameters<typeof examine>[0]['operator_certificate'] = null
) =>
  examine({
    sql: world.database.sql,
    db: world.database.db,
    config: { ...world.config, ...config },
    files: createFiles({ ...world.config, ...config }),
    operator_certificate,
    secrets: null,
    modules: [],
    broken: []
  })

it('the doctor reports nothing if nothing is wrong, even a second time, and leaves no trace', async () => {
  world.write('base', { migrations })
  expect(await examined()).toEqual({
    ok: true,
    orphans: [],
    missing_dependencies: [],
    manifest_errors: [],
    errored_modules: [],
    integrity: [],
    advice: []
  })
  expect((await looked()).ok).toBe(true)
  expect(await world.database.sql`select nspname from pg_namespace where nspname like 'svc_doctor%'`).toEqual([])
})

describe('the doctor\'s report about modules', () => {
  it('names orphans, which are rows whose code is missing', async () => {
    world.write('base')
    await examined()
    world.remove('base')
    expect(await looked()).toMatchObject({ ok: false, orphans: ['base'] })
  })

  it('names missing dependencies, also of a module whose dependency was removed by force', async () => {
    world.write('base')
    world.write('top', { depends: ['base', 'never'] })
    await examined()
    await world.database.sql`update core_module set state = 'installed' where name = 'top'`
    await world.database.sql`update core_module set state = 'uninstalled' where name = 'base'`
    expect((await looked()).missing_dependencies).toEqual([
      { module: 'top', missing: 'base' },
      { module: 'top', missing: 'never' }
    ])
  })

  it('names broken manifests and failed modules, but no module with a broken manifest as an orphan', async () => {
    world.write('base')
    world.write('fails', { code: 'throw new Error("at import")' })
    await examined()
    world.write('base', { svc: { depends: 'everything' } })
    const found = await examined()
    expect(found).toMatchObject({
      ok: false,
      orphans: [],
      manifest_errors: [{ module: 'base', error: expect.stringContaining('svc.depends') }]
    })
    expect(found.errored_modules).toEqual([
      { module: 'base', error: expect.stringContaining('the manifest is broken') },
      { module: 'fails', error: expect.stringContaining('at import') }
    ])
  })

  it('names new migrations that were not applied, and the upgrade that applies them', async () => {
    world.write('base', { migrations })
    await examined()
    world.write('base', { migrations: { ...migrations, '0001_more.sql': 'alter table base_thing add more text' } })
    expect((await examined()).errored_modules).toEqual([
      { module: 'base', error: expect.stringContaining('svc modules upgrade base') }
    ])
  })
})

describe('the doctor\'s report about integrity', () => {
  it('names a changed or missing file of an applied migration', async () => {
    const folder = world.write('base', { migrations })
    await examined()
    writeFileSync(join(folder, 'migrations/0000_first.sql'), `${migrations['0000_first.sql']} -- edited`)
    await world.database
      .sql`insert into core_migration (module_name, revision, checksum) values ('base', '0009_later', 'x')`
    expect((await looked()).integrity).toMatchObject([
      { code: 'migration_changed', object: 'base: 0000_first' },
      { code: 'migration_unknown', object: 'base: 0009_later' }
    ])
  })

  it('names schema drift: what was dropped, changed or added outside the migrations', async () => {
    world.write('base', { migrations })
    await examined()
    await world.database.sql`alter table base_thing alter column name drop not null`
    await world.database.sql`alter table base_thing add column secret text`
    await world.database.sql`drop index base_thing_name`
    await world.database.sql`alter table core_user drop column last_name`
    const { ok, integrity } = await looked()
    expect(ok).toBe(false)
    expect(integrity.map(({ object, message }) => `${object}: ${message}`)).toEqual([
      expect.stringContaining('core: core_user: The column last_name is missing: text'),
      expect.stringContaining('base: base_thing: The column name is not as it was made: text not null default'),
      expect.stringContaining('base: base_thing: The index base_thing_name is missing'),
      'base: base_thing: The column secret was not made by a migration.'
    ])
    expect(new Set(integrity.map(({ code }) => code))).toEqual(new Set(['schema_drift']))
  })

  it('includes what modules find in their own data, the command that fixes it, and a check that throws', async () => {
    const finding = {
      code: 'chain_broken',
      object: 'B-1',
      message: 'Row 2 was changed.',
      fix: 'Compare with a backup.'
    }
    world.write('base', {
      code: `export default { doctor: async () => [${JSON.stringify(finding)}, { ...${JSON.stringify(finding)}, code: 'late', advice: true }] }`
    })
    world.write('odd', { code: 'export default { doctor: async () => { throw new Error("no idea") } }' })
    const { integrity, advice } = await examined()
    expect(integrity).toEqual([
      finding,
      { code: 'doctor_failed', object: 'odd', message: expect.stringContaining('no idea'), fix: 'svc modules info odd' }
    ])
    expect(advice).toEqual([{ ...finding, code: 'late' }])
  })

  it('names layers that are missing from modules.json, until sync-frontend', async () => {
    world.write('base', { svc: { layer: '.' } })
    world.write('top', { depends: ['base'], svc: { layer: 'ui' } })
    const community = join(world.config.storage, 'modules/node_modules/svc-module-recall')
    writeModule(community, 'recall', { svc: { layer: 'ui' } })
    mkdirSync(join(community, 'ui'))
    mkdirSync(join(world.config.root, 'layers/top/ui'))
    writeFileSync(
      join(world.config.root, 'modules.json'),
      JSON.stringify({ modules: [{ name: 'gone', path: 'layers/gone' }] })
    )
    expect((await examined()).integrity.map(({ code, object }) => `${code} ${object}`)).toEqual([
      'layer_missing base',
      'layer_missing top',
      'layer_vanished gone'
    ])

    await world.database
      .sql`insert into core_module (name, state, category) values ('recall', 'to_install', 'community')`
    const { modules, changed } = await syncFrontend(world.database.sql, world.config)
    expect(changed).toBe(true)
    expect(modules).toEqual([
      { name: 'base', path: 'layers/base' },
      { name: 'recall', path: 'storage/modules/node_modules/svc-module-recall/ui' },
      { name: 'top', path: 'layers/top/ui' }
    ])
    expect(listedLayers(world.config)).toEqual(modules)
    expect((await syncFrontend(world.database.sql, world.config)).changed).toBe(false)
    expect((await looked()).ok).toBe(true)
    await world.database.sql`update core_module set state = 'uninstalled' where name = 'recall'`
    expect((await syncFrontend(world.database.sql, world.config)).modules.map(({ name }) => name)).toEqual([
      'base',
      'top'
    ])
  })

  it('names a layer that is built or will be, although its module is uninstalled', async () => {
    const community = join(world.config.storage, 'modules/node_modules/svc-module-recall')
    writeModule(community, 'recall', { svc: { layer: 'ui' } })
    mkdirSync(join(community, 'ui'))
    await examined()
    await world.database
      .sql`insert into core_module (name, state, category) values ('recall', 'installed', 'community')`
    await syncFrontend(world.database.sql, world.config)
    mkdirSync(join(world.config.root, '.output/server'), { recursive: true })
    cpSync(join(world.config.root, 'modules.json'), join(world.config.root, '.output/server/modules.json'))
    const still = {
      code: 'layer_still_built',
      object: 'recall',
      message: 'It is uninstalled, but its pages are still in the build.',
      fix: 'svc modules sync-frontend, npm run build, restart'
    }
    await world.database.sql`update core_module set state = 'to_remove' where name = 'recall'`
    expect((await looked()).integrity).not.toContainEqual(still)
    await world.database.sql`update core_module set state = 'uninstalled' where name = 'recall'`
    expect((await looked()).integrity).toEqual([still])
    await syncFrontend(world.database.sql, world.config)
    expect((await looked()).integrity).toEqual([still])
    rmSync(join(world.config.root, '.output/server/modules.json')) // a build without it
    expect((await looked()).integrity).toEqual([])
  })

  it('names a package’s layer with code for the server, which is left out of the build', async () => {
    const community = join(world.config.storage, 'modules/node_modules/svc-module-sly')
    writeModule(community, 'sly', { svc: { layer: 'layer' } })
    mkdirSync(join(community, 'layer/server/routes'), { recursive: true })
    await examined()
    await world.database.sql`insert into core_module (name, state, category) values ('sly', 'installed', 'community')`
    const path = 'storage/modules/node_modules/svc-module-sly/layer'
    const reason = 'it has a folder "server", whose code would run in the service itself'
    expect(await syncFrontend(world.database.sql, world.config)).toEqual({
      modules: [], refused: [{ name: 'sly', path, reason }], changed: false
    })
    expect((await looked()).integrity).toEqual([
      {
        code: 'layer_server',
        object: 'sly',
        message: `Its layer ${path} is left out of the build: ${reason}.`,
        fix: 'Use a version of sly without it: endpoints belong into the package\'s own server/api/v1/.'
      }
    ])
  })
})

describe('the doctor\'s advice', () => {
  it('is given about the certificate, the proxies and TLS, and does not fail the check', async () => {
    await examined()
    const { ok, advice } = await looked({ base_url: 'https://sol.example' })
    expect(ok).toBe(true)
    expect(advice).toMatchObject([{ code: 'proxies', fix: 'SVC_TRUSTED_PROXIES=1' }])
    await world.database.sql`delete from core_certificate`
    await world.database
      .sql`insert into core_certificate (certificate, private_key, not_after) values ('', '', now() + interval '5 days')`
    expect((await looked({ base_url: 'http://sol.example' })).advice.map(({ code }) => code)).toEqual([
      'certificate',
      'base_url'
    ])
  })

  it('is given if mails are sent by SMTP and their links lead only to this machine, as is the default', async () => {
    await examined()
    const smtp_url = 'smtp://user:hunter2@mail.example'
    for (const base_url of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'https://budgets.localhost'
    ]) {
      const { ok, advice } = await looked({ base_url, smtp_url })
      expect(ok).toBe(true)
      expect(advice).toMatchObject([
        { code: 'base_url_local', object: base_url, fix: expect.stringContaining('SVC_BASE_URL') }
      ])
      expect(JSON.stringify(advice)).not.toContain('hunter2')
      expect((await looked({ base_url, smtp_url: null })).advice).toEqual([])
    }
    expect((await looked({ base_url: 'https://sol.example', smtp_url, trusted_proxies: 1 })).advice).toEqual([])
  })

  it('names a mail server without encryption', async () => {
    await examined()
    const looks = async (smtp_url: string) =>
      (await looked({ base_url: 'https://sol.example', trusted_proxies: 1, smtp_url })).advice
    const advice = await looks('smtp://user:hunter2@mail.example?tls=never')
    expect(advice).toMatchObject([
      { code: 'mail_plain', object: 'SVC_SMTP_URL', message: expect.stringContaining('mail.example') }
    ])
    expect(JSON.stringify(advice)).not.toContain('hunter2')
    expect(await looks('smtp://localhost?tls=never')).toEqual([])
  })

  it('is given about the operator\'s certificate, from 30 days before its end, but never about the instance\'s own beside it', async () => {
    await examined()
    await world.database.sql`update core_certificate set not_after = now() + interval '5 days'`
    const [soon, ended] = [inDays(29), inDays(-1)]
    const adviceIn = async (from: number, not_after: Date) => {
      const { ok, advice } = await looked({}, { not_before: inDays(from), not_after })
      expect(ok).toBe(true)
      return advice.map(({ code, object, message }) => `${code} ${object} ${message}`)
    }
    const day = (date: Date) => date.toISOString().slice(0, 10)
    expect(await adviceIn(-300, inDays(31))).toEqual([])
    expect(await adviceIn(-300, soon)).toEqual([
      `certificate SVC_SEAL_P12 The certificate that seals documents expires on ${day(soon)}; from then on acceptances continue, but their signed PDFs wait.`
    ])
    expect(await adviceIn(-300, ended)).toEqual([
      `certificate_ended SVC_SEAL_P12 The certificate expired on ${day(ended)}: documents are no longer sealed; acceptances continue, but their signed PDFs wait.`
    ])
    expect(await adviceIn(1, inDays(300))).toEqual([expect.stringMatching(/^certificate_not_yet /)])
  })

  it('is given about documents that cannot be reached, without credentials', async () => {
    await examined()
    const { object_store } = readConfig(
      {
        SVC_STORAGE: 's3://documents',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
        AWS_ACCESS_KEY_ID: 'hunter2',
        AWS_SECRET_ACCESS_KEY: 'hunter3'
      },
      world.config.root
    )
    const { ok, advice } = await looked({ object_store })
    expect(ok).toBe(true)
    expect(advice).toMatchObject([
      {
        code: 'document_store',
        object: 'SVC_STORAGE',
        message: expect.stringContaining('The object store did not answer')
      }
    ])
    expect(JSON.stringify(advice)).not.toMatch(/hunter/)
  })
})
