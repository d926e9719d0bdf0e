import { afterEach, beforeEach, expect, test } from 'vitest'
import { aWorld, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const withRoute = (file: string) => ({ endpoints: { [file]: '{ access: \'none\', handle() {} }' } })

test('a role has the permissions that running modules grant it, and an administrator has all of them', async () => {
  world.write('notes', {
    svc: { permissions: ['read', 'write', 'lock'], role_permissions: { dentist: ['*'], assistant: ['read'] } }
  })
  world.write('files', { svc: { permissions: ['read'], role_permissions: { assistant: '*' } } })
  const { registry } = (await world.boot()).host
  expect([...registry.permissionsOf('assistant')].sort()).toEqual(['files.read', 'notes.read'])
  expect([...registry.permissionsOf('dentist')].sort()).toEqual(['notes.lock', 'notes.read', 'notes.write'])
  expect([...registry.permissionsOf('admin')].sort()).toEqual([
    'clinic.manage',
    'files.read',
    'notes.lock',
    'notes.read',
    'notes.write',
    'privacy.manage',
    'users.manage',
    'webhooks.manage'
  ])
  expect([...registry.permissionsOf('hygienist')]).toEqual([])
  expect([...registry.permissionsOf('nobody')]).toEqual([])
  expect(registry.permissions.has('modules.manage')).toBe(false)
})

test('if two modules claim one route, the later one does not start', async () => {
  world.write('first', withRoute('things/[id].get.js'))
  world.write('second', withRoute('things/[name].get.js'))
  world.write('third', withRoute('things/[id].post.js'))
  const { registry } = (await world.boot()).host
  expect(registry.modules.map(module => module.name)).toEqual(['first', 'third'])
  expect(registry.broken).toMatchObject([
    { name: 'second', reason: 'claims the route GET /api/v1/things/:name, which belongs to first' }
  ])
  expect((await world.rows()).second).toMatchObject({
    state: 'installed',
    error_message: expect.stringContaining('claims the route')
  })

  world.write('second', withRoute('others/[name].get.js'))
  const again = (await world.boot()).host.registry
  expect(again.broken).toEqual([])
  expect((await world.rows()).second).toMatchObject({ error_message: null })
})

test('a module with migrations on disk beyond its applied revision does not run, nor do its dependants', async () => {
  const one = { '0000_note.sql': 'create table note (id int);' }
  world.write('notes', { migrations: one })
  world.write('top', { depends: ['notes'] })
  world.write('other')
  await world.boot()
  world.write('notes', { version: '1.1.0', migrations: one })
  expect((await world.boot()).host.registry.broken).toEqual([])

  world.write('notes', { version: '2.0.0', migrations: { ...one, '0001_more.sql': 'select 1;' } })
  const { registry } = (await world.boot()).host
  expect(registry.modules.map(module => module.name)).toEqual(['other'])
  expect(registry.broken).toMatchObject([
    { name: 'notes', reason: expect.stringContaining('svc modules upgrade notes') },
    { name: 'top', reason: 'needs notes, which does not run' }
  ])
  expect((await world.rows()).notes).toMatchObject({ state: 'installed', version: '1.0.0' })
})

test.each([
  ['throws', 'throw new Error("broken")', 'broken'],
  ['exports nothing', 'export const other = 1', 'no default export'],
  [
    'lists endpoints as the previous release did',
    'export default { endpoints: [{ method: "get", path: "/x", access: "none", handle() {} }] }',
    'a file below server/api/v1/'
  ],
  ['has a hook that isn\'t a function', 'export default { hooks: { install: true } }', 'hooks']
])('an installed module whose code %s is marked as failed, and the others run', async (_, code, reason) => {
  world.write('odd')
  world.write('other')
  await world.boot()
  world.write('odd', { code })
  const { registry } = (await world.boot()).host
  expect(registry.modules.map(module => module.name)).toEqual(['other'])
  expect(registry.broken).toMatchObject([{ name: 'odd', reason: expect.stringContaining(reason) }])
  expect((await world.rows()).odd).toMatchObject({ state: 'installed', error_message: expect.stringContaining(reason) })
})

test.each([
  ['without a handler', 'x.get.js', '{ access: "none" }', 'get /api/v1/x: an endpoint lacks access or handle'],
  [
    'without a method in its name',
    'x.js',
    '{ access: "none", handle() {} }',
    'x.js: the name of an endpoint\'s file ends with its method'
  ]
])('an installed module with an endpoint %s is marked as failed, and the others run', async (_, file, code, reason) => {
  world.write('odd')
  world.write('other')
  await world.boot()
  world.write('odd', { endpoints: { [file]: code } })
  const { registry } = (await world.boot()).host
  expect(registry.modules.map(module => module.name)).toEqual(['other'])
  expect(registry.broken).toMatchObject([{ name: 'odd', reason: expect.stringContaining(reason) }])
})

test('an installed module whose next version has a file as migrations folder is marked as failed, and the others run', async () => {
  world.write('odd', { migrations: { '0000_odd.sql': 'create table odd (id int);' } })
  world.write('other')
  await world.boot()
  world.write('odd', { version: '1.1.0', svc: { migrations: 'migrations/0000_odd.sql' } })
  const { registry } = (await world.boot()).host
  expect(registry.modules.map(module => module.name)).toEqual(['other'])
  expect(registry.broken).toMatchObject([{ name: 'odd', reason: expect.stringContaining('the package has no folder') }])
})

test('events have their subscribers, and problems of a module precede the core\'s', async () => {
  world.write('notes', {
    code: 'export default { on: { "note.made": async () => {} }, problems: { not_found: { status: 404, title: "No such note" }, torn: { status: 409, title: "Torn" } } }'
  })
  world.write('other', { code: 'export default { on: { "note.made": async () => {} } }' })
  const { registry } = (await world.boot()).host
  expect(registry.subscribers('note.made')).toEqual(['notes', 'other'])
  expect(registry.subscribers('note.lost')).toEqual([])
  expect(registry.problems('notes')).toMatchObject({
    torn: { status: 409 },
    not_found: { title: 'No such note' },
    permission_denied: { status: 403 }
  })
  // The core's endpoints call modules, for example for an erasure, and return the modules' refusals.
  expect(registry.problems(null)).toHaveProperty('torn')
})
