import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { writeModule } from '../../support/modules/modules.ts'
import { root } from '../../support/modules/official.ts'
import { schedule } from '../../support/modules/packages.ts'

const zod = pathToFileURL(join(root, 'node_modules/zod/index.js')).href

/** A channel with settings of every kind, and an endpoint that returns what the module itself gets. */
const PIGEON = {
  migrations: {
    '0000_pigeon.sql': 'create table pigeon_flight (id int primary key);',
    '0000_pigeon.down.sql': 'drop table pigeon_flight;'
  },
  code: `import * as z from '${zod}'
  export default {
    settings: {
      schema: z.object({
        sender: z.string().min(1).max(11).describe('The name that phones show.'),
        flights: z.int().min(1).max(50).describe('Flights a day.'),
        deposit: z.string().regex(/^\\d+\\.\\d\\d$/).meta({ kind: 'money' }).nullable(),
        route: z.enum(['coast', 'hills']),
        enabled: z.boolean(),
        hours: z.strictObject({ from: z.string(), to: z.string() }),
        api_key: z.string().min(8).nullable()
      }),
      defaults: {
        sender: 'Clinic', flights: 5, deposit: null, route: 'coast', enabled: false,
        hours: { from: '09:00', to: '20:00' }, api_key: null
      },
      secrets: ['api_key']
    }
  }`,
  endpoints: {
    'pigeon/seen.get.js': `{
      access: 'session',
      summary: 'What the module sees of its settings.',
      response: { safeParse: data => ({ success: true, data }) },
      async handle({ request: { actor: { clinic_id } } }, ctx) {
        const at = name => ctx.settings.changedAt(clinic_id, name)
        return {
          values: await ctx.settings.get(clinic_id),
          changed: { flights: await at('flights'), hours: await at('hours'), from: await at('hours.from') }
        }
      }
    }`,
    'pigeon/land.post.js': `{
      access: 'session',
      summary: 'The module changes its own settings.',
      async handle({ request: { actor: { clinic_id } } }, ctx) {
        await ctx.db.transaction(async (tx) => {
          await ctx.settings.change(tx, clinic_id, { enabled: false })
        })
      }
    }`
  }
}

/** A plain object without zod, with its own permission. It gets changes of other modules and refuses some. */
const OWL = {
  svc: { permissions: ['watch'], role_permissions: { receptionist: ['watch'] } },
  code: `
  const seen = []
  export default {
    settings: {
      schema: { safeParse: data => typeof data.depth === 'number'
        ? { success: true, data }
        : { success: false, error: { issues: [{ path: ['depth'], message: 'Must be a number.' }] } } },
      defaults: { depth: 3, word: 'hoo' },
      permission: 'owl.watch'
    },
    exports: () => ({ seen }),
    hooks: {
      before_clinic_change: async (_ctx, { change }) => {
        seen.push(['before', change])
        return change.pigeon?.flights === 13
          ? [{ field: 'pigeon.flights', reason: 'The owl counts 13 as bad luck.' }]
          : []
      },
      after_clinic_change: async (_ctx, { change }) => {
        seen.push(['after', change])
        return []
      }
    }
  }`
}

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  const folder = join(instance.storage, 'modules/node_modules')
  writeModule(join(folder, 'svc-module-pigeon'), 'pigeon', PIGEON)
  writeModule(join(folder, 'svc-module-owl'), 'owl', OWL)
  for (const name of ['pigeon', 'owl']) await schedule(instance, 'install', name)
  await instance.restart()
})
afterAll(() => instance.close())

const PATH = '/api/v1/clinic/settings/pigeon'
const aClinic = async () => {
  const clinic = await instance.anotherClinic()
  return { clinic, admin: await instance.as('admin', clinic) }
}
const DEFAULTS = {
  sender: 'Clinic', flights: 5, deposit: null, route: 'coast', enabled: false,
  hours: { from: '09:00', to: '20:00' }, api_key: { set: false }
}
const newestChange = async ({ id }: { id: string }) => (await instance.sql`
  select actor_type, actor_name, target_kind, target_id, detail from core_audit
  where clinic_id = ${id} and action = 'settings_changed' order by seq desc limit 1`)[0]!
/** What the owl's hooks received since the last call. */
const seenByOwl = () => {
  const exported = instance.runtime.host.registry.get('owl')!.definition.exports!(null as never, null as never) as { seen: [when: string, change: object][] }
  return exported.seen.splice(0)
}

describe('a module\'s settings', () => {
  test('are the defaults until a clinic changes them, with an ETag', async () => {
    const { admin } = await aClinic()
    const { status, headers, body } = await admin.get(PATH)
    expect([status, headers.get('etag'), body.data]).toEqual([200, '"1"', DEFAULTS])
    expect((await admin.get('/api/v1/pigeon/seen')).body.data.values).toEqual({ ...DEFAULTS, api_key: null })
  })

  test.each([randomUUID(), 'no-id'])('are the defaults for a clinic that doesn’t exist: %s', async (clinic_id) => {
    const { ctx } = instance.runtime.host.registry.get('pigeon')!
    expect(await ctx.settings.get(clinic_id)).toEqual({ ...DEFAULTS, api_key: null })
  })

  test('keep what a change leaves out, including parts of an object, and belong to one clinic', async () => {
    const [{ admin }, other] = [await aClinic(), await aClinic()]
    const changed = await admin.patch(PATH, { flights: 7, hours: { to: '18:00' } }, { headers: { 'if-match': '"1"' } })
    const now = { ...DEFAULTS, flights: 7, hours: { from: '09:00', to: '18:00' } }
    expect([changed.status, changed.headers.get('etag'), changed.body.data]).toEqual([200, '"2"', now])
    expect((await admin.get(PATH)).body.data).toEqual(now)
    expect((await other.admin.get(PATH)).body.data).toEqual(DEFAULTS)
  })

  test('stay unchanged with a stale If-Match, which is 412, and keep their version after an empty change', async () => {
    const { admin } = await aClinic()
    await admin.patch(PATH, { flights: 7 })
    const stale = await admin.patch(PATH, { flights: 8 }, { headers: { 'if-match': '"1"' } })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    const same = await admin.patch(PATH, { flights: 7 }, { headers: { 'if-match': '"2"' } })
    expect([same.status, same.headers.get('etag'), same.body.data.flights]).toEqual([200, '"2"', 7])
  })

  test.each([
    ['/flights', { flights: 0 }],
    ['/flights', { flights: 'many' }],
    ['/route', { route: 'sea' }],
    ['/hours/noon', { hours: { noon: '12:00' } }],
    ['/api_key', { api_key: 'short' }],
    ['/api_key', { api_key: { set: true } }],
    ['/colour', { colour: 'grey' }]
  ])('are refused with a pointer to %s: %j', async (pointer, change) => {
    const { admin } = await aClinic()
    const { status, body } = await admin.patch(PATH, change)
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', pointer])
    expect((await admin.get(PATH)).body.data).toEqual(DEFAULTS)
  })

  test('show a secret only as set; text replaces it, null removes it, and only the module can read it', async () => {
    const { clinic, admin } = await aClinic()
    const stored = async () => JSON.stringify(await instance.sql`
      select "values", secrets from core_module_setting where clinic_id = ${clinic.id}`)
    const seen = async () => (await admin.get('/api/v1/pigeon/seen')).body.data.values.api_key

    expect((await admin.patch(PATH, { api_key: 'secret-one' })).body.data.api_key).toEqual({ set: true })
    expect([await seen(), await stored()]).toEqual(['secret-one', expect.not.stringContaining('secret-one')])
    expect((await admin.patch(PATH, { api_key: 'secret-two' })).headers.get('etag')).toBe('"3"')
    expect(await seen()).toBe('secret-two')
    expect((await admin.patch(PATH, { flights: 6 })).body.data.api_key).toEqual({ set: true })
    expect((await admin.patch(PATH, { api_key: null })).body.data.api_key).toEqual({ set: false })
    expect([await seen(), await stored()]).toEqual([null, expect.stringContaining('"secrets":{}')])
  })

  test('contain no readable secret that SQL copied to another clinic', async () => {
    const [one, other] = [await aClinic(), await aClinic()]
    await one.admin.patch(PATH, { api_key: 'secret-one' })
    await instance.sql`
      insert into core_module_setting (clinic_id, module, "values", secrets)
      select ${other.clinic.id}, module, "values", secrets from core_module_setting where clinic_id = ${one.clinic.id}`
    expect((await other.admin.get('/api/v1/pigeon/seen')).body.data.values.api_key).toBe(null)
  })

  test('have changes in the audit log with the module and names, but never values', async () => {
    const { clinic, admin } = await aClinic()
    await admin.patch(PATH, { api_key: 'secret-one', hours: { from: '10:00' }, sender: 'Sol' })
    const row = await newestChange(clinic)
    expect(row).toMatchObject({ actor_type: 'user', target_kind: 'clinic', target_id: clinic.id })
    expect(row.detail).toEqual({ module: 'pigeon', fields: ['api_key', 'hours.from', 'sender'] })
  })

  test('can be changed by the module itself, which is notified when a field or a part of it changed', async () => {
    const { clinic, admin } = await aClinic()
    const changed = async () => (await admin.get('/api/v1/pigeon/seen')).body.data.changed
    expect(await changed()).toEqual({ flights: null, hours: null, from: null })
    await admin.patch(PATH, { flights: 9, hours: { to: '21:00' }, enabled: true })
    const first = await changed()
    expect(first).toEqual({ flights: expect.any(String), hours: first.flights, from: null })
    await admin.patch(PATH, { hours: { from: '08:00' } })
    const second = await changed()
    expect([second.flights, second.hours]).toEqual([first.flights, second.from])
    expect(Date.parse(second.hours)).toBeGreaterThan(Date.parse(first.hours))

    expect((await admin.post('/api/v1/pigeon/land')).status).toBe(204)
    expect((await admin.get(PATH)).body.data.enabled).toBe(false)
    expect(await newestChange(clinic))
      .toMatchObject({ actor_type: 'system', actor_name: 'pigeon', detail: { module: 'pigeon', fields: ['enabled'] } })
  })

  test('are reported below the module\'s name and without secrets to other modules, which may refuse', async () => {
    const { admin } = await aClinic()
    seenByOwl()
    await admin.patch(PATH, { flights: 8, api_key: 'secret-one', sender: 'Clinic' })
    const change = { pigeon: { flights: 8, api_key: { set: true } } }
    expect(seenByOwl().filter(([, what]) => 'pigeon' in what)).toEqual([['before', change], ['after', change]])

    const { status, body } = await admin.patch(PATH, { flights: 13 })
    expect([status, body.code, body.detail, body.fields, body.errors]).toEqual([
      409, 'setting_vetoed', 'The owl counts 13 as bad luck.', ['flights'],
      [{ pointer: '/flights', message: 'The owl counts 13 as bad luck.' }]
    ])
    expect((await admin.get(PATH)).body.data.flights).toBe(8)
  })

  test('have the default in place of a stored value that the schema no longer accepts', async () => {
    const { clinic, admin } = await aClinic()
    await admin.patch(PATH, { flights: 8, sender: 'Sol' })
    await instance.sql`
      update core_module_setting set "values" = "values" || '{"flights": "many", "former": 1}' where clinic_id = ${clinic.id}`
    expect((await admin.get(PATH)).body.data).toEqual({ ...DEFAULTS, sender: 'Sol' })
    expect((await admin.patch(PATH, { route: 'hills' })).body.data)
      .toEqual({ ...DEFAULTS, sender: 'Sol', route: 'hills' })
  })
})

describe('access to settings', () => {
  test('requires the permission that the module names, usually clinic.manage', async () => {
    const receptionist = await instance.as('receptionist')
    for (const refused of [await receptionist.get(PATH), await receptionist.patch(PATH, { flights: 6 })])
      expect([refused.status, refused.body.detail]).toEqual([403, 'Permission denied: clinic.manage'])
    const owl = await receptionist.patch('/api/v1/clinic/settings/owl', { depth: 4 })
    expect([owl.status, owl.body.data]).toEqual([200, { depth: 4, word: 'hoo' }])
    const dentist = await (await instance.as('dentist')).get('/api/v1/clinic/settings/owl')
    expect([dentist.status, dentist.body.detail]).toEqual([403, 'Permission denied: owl.watch'])
    expect((await instance.anonymous().get(PATH)).status).toBe(401)
  })

  test('is 404 for a module that is unknown, has no settings or is not installed', async () => {
    const admin = await instance.as('admin')
    for (const name of ['reports', 'nobody', 'Pigeon'])
      expect((await admin.get(`/api/v1/clinic/settings/${name}`)).status).toBe(404)
  })

  test('includes a list with the fields of each module that the caller may change, for drawing forms', async () => {
    const receptionist = await instance.as('receptionist')
    expect((await receptionist.get('/api/v1/clinic/settings')).body.data).toEqual([{
      module: 'owl',
      permission: 'owl.watch',
      fields: [aField({ name: 'depth', kind: 'number' }), aField({ name: 'word', kind: 'text' })]
    }])
    const all = (await (await instance.as('admin')).get('/api/v1/clinic/settings')).body.data as { module: string }[]
    expect(all.find(({ module }) => module === 'pigeon')).toEqual({
      module: 'pigeon',
      permission: 'clinic.manage',
      fields: [
        aField({ name: 'sender', kind: 'text', description: 'The name that phones show.', max_length: 11 }),
        aField({ name: 'flights', kind: 'number', description: 'Flights a day.', whole: true, minimum: 1, maximum: 50 }),
        aField({ name: 'deposit', kind: 'money', required: false }),
        aField({ name: 'route', kind: 'choice', choices: ['coast', 'hills'] }),
        aField({ name: 'enabled', kind: 'switch' }),
        aField({ name: 'hours', kind: 'other' }),
        aField({ name: 'api_key', kind: 'secret', required: false })
      ]
    })
  })
})

const aField = (about: object) => ({
  description: null, required: true, choices: null, whole: false, minimum: null, maximum: null, max_length: null,
  ...about
})

test('an uninstall removes settings, and restoring its backup restores them', async () => {
  const { clinic, admin } = await aClinic()
  await admin.patch(PATH, { flights: 21, api_key: 'secret-one' })
  await schedule(instance, 'uninstall', 'pigeon')
  await instance.restart()
  const rows = () => instance.sql`select 1 from core_module_setting where module = 'pigeon'`
  expect([(await admin.get(PATH)).status, (await rows()).length]).toEqual([404, 0])

  await schedule(instance, 'install', 'pigeon')
  await instance.restart()
  const file = readdirSync(join(instance.storage, 'backups')).find(name => /^module_pigeon_.*\.sql$/.test(name))!
  await restoreBackup(instance.runtime.host, file)
  const again = await instance.as('admin', clinic)
  expect((await again.get(PATH)).body.data).toMatchObject({ flights: 21, api_key: { set: true } })
  expect((await again.get('/api/v1/pigeon/seen')).body.data.values.api_key).toBe('secret-one')
})
