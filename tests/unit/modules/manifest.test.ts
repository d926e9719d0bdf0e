import { describe, expect, test } from 'vitest'
import { parseManifest } from '../../../server/core/manifest.ts'

const aPackage = (svc: object, rest: object = {}) => ({
  name: 'svc-module-recall',
  version: '1.2.3',
  description: 'Calls patients back.',
  svc: { name: 'recall', ...svc },
  ...rest
})
const manifestOf = (svc: object) => {
  const parsed = parseManifest(aPackage(svc))
  if (parsed.error !== undefined) throw new Error(parsed.error)
  return parsed.manifest
}

describe('a manifest', () => {
  test('has version and summary from package.json', () => {
    expect(parseManifest(aPackage({}))).toMatchObject({
      version: '1.2.3',
      summary: 'Calls patients back.',
      package_name: 'svc-module-recall'
    })
  })

  test('of a community module is removable and not installed by default, of an official one the reverse', () => {
    expect(manifestOf({})).toMatchObject({
      category: 'community',
      removable: true,
      auto_install: false,
      depends: [],
      core: '*',
      migrations: null,
      seed: []
    })
    expect(manifestOf({ category: 'official' })).toMatchObject({ removable: false, auto_install: true })
  })

  test('grants roles a list of relative names or *', () => {
    const { role_permissions } = manifestOf({
      permissions: ['read', 'write'],
      role_permissions: { dentist: '*', assistant: ['read'], receptionist: ['*'] }
    })
    expect(role_permissions).toEqual({ dentist: ['*'], assistant: ['read'], receptionist: ['*'] })
  })

  test.each([
    ...['modules', 'auth', 'users', 'clinic', 'webhooks', 'public', 'documents', 'me', 'docs', 'core'],
    ...['tokens', 'audit', 'setup', 'person']
  ])(
    'cannot have the name %s',
    (name) => {
      expect(parseManifest(aPackage({ name })).error).toContain('svc.name')
    }
  )

  test.each([
    ['a name with capitals', { name: 'Recall' }, 'svc.name'],
    ['an unknown field', { depend: [] }, 'svc'],
    ['a guard for an invalid step name', { guards: ['publish'] }, 'svc.guards.0'],
    ['an unknown category', { category: 'private' }, 'svc.category'],
    ['itself as a dependency', { depends: ['recall'] }, 'svc.depends'],
    ['an invalid core range', { core: 'newest' }, 'svc.core'],
    ['an unknown role', { role_permissions: { boss: '*' } }, 'svc.role_permissions'],
    [
      'a grant of an unknown permission',
      { permissions: ['read'], role_permissions: { dentist: ['write'] } },
      'svc.role_permissions.dentist'
    ],
    ['a path outside the package', { server: '../other/index.js' }, 'svc.server'],
    ['an absolute path', { migrations: '/etc' }, 'svc.migrations'],
    ['a path that no file can have', { server: 'index.js\0' }, 'svc.server'],
    ['a navigation entry without a target', { navigation: [{ label: 'x' }] }, 'svc.navigation.0.to'],
    ['an IP address as a host', { outgoing: ['https://api.example.com'] }, 'svc.outgoing'],
    ['a host with a port', { outgoing: ['api.example.com:443'] }, 'svc.outgoing'],
    ['a host in a spelling that URLs change', { outgoing: ['API.example.com'] }, 'svc.outgoing'],
    ['a wrong type of hosts', { outgoing: 'all' }, 'svc.outgoing'],
    ['an access below another’s path', { accesses: { link: 'public/budgets/[token]/x' } }, 'svc.accesses.link'],
    ['an access to an address', { accesses: { link: '/public/recall/x' } }, 'svc.accesses.link'],
    ['an access with a full name', { accesses: { 'Recall.link': 'public/recall/x' } }, 'svc.accesses']
  ])('with %s is an error that names the field', (_, svc, field) => {
    expect(parseManifest(aPackage(svc)).error).toContain(field)
  })

  test('names the hosts that the module calls, or the settings that name them', () => {
    for (const outgoing of [['api.example.com', 'xn--bcher-kva.example', '127.0.0.1', '[::1]'], 'settings'])
      expect(manifestOf({ outgoing }).outgoing).toEqual(outgoing)
    expect(manifestOf({}).outgoing).toEqual([])
  })

  test('can let dependants import a path of its own', () => {
    const accesses = { link: 'public/recall/[token]/x' }
    expect(manifestOf({ accesses }).accesses).toEqual(accesses)
    expect(manifestOf({}).accesses).toEqual({})
  })

  test('without a version, or without the field, is an error', () => {
    expect(parseManifest(aPackage({}, { version: 'newest' })).error).toContain('version')
    expect(parseManifest({ name: 'x', version: '1.0.0' }).error).toContain('svc')
    expect(parseManifest(null).error).toBeTypeOf('string')
  })
})
