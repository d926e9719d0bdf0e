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
  test('takes version and summary from package.json itself', () => {
    expect(parseManifest(aPackage({}))).toMatchObject({
      version: '1.2.3',
      summary: 'Calls patients back.',
      package_name: 'svc-module-recall'
    })
  })

  test('of a community module is removable and not installed by itself, of an official one the reverse', () => {
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
    'cannot be named %s',
    (name) => {
      expect(parseManifest(aPackage({ name })).error).toContain('svc.name')
    }
  )

  test.each([
    ['a name with capitals', { name: 'Recall' }, 'svc.name'],
    ['an unknown field', { depend: [] }, 'svc'],
    ['a guard of what is no name of a step', { guards: ['publish'] }, 'svc.guards.0'],
    ['an unknown category', { category: 'private' }, 'svc.category'],
    ['itself as dependency', { depends: ['recall'] }, 'svc.depends'],
    ['a core range that is none', { core: 'newest' }, 'svc.core'],
    ['an unknown role', { role_permissions: { boss: '*' } }, 'svc.role_permissions'],
    [
      'a grant of an unknown permission',
      { permissions: ['read'], role_permissions: { dentist: ['write'] } },
      'svc.role_permissions.dentist'
    ],
    ['a path out of the package', { server: '../other/index.js' }, 'svc.server'],
    ['an absolute path', { migrations: '/etc' }, 'svc.migrations'],
    ['a path that no file has', { server: 'index.js\0' }, 'svc.server'],
    ['a navigation entry without a target', { navigation: [{ label: 'x' }] }, 'svc.navigation.0.to'],
    ['a host that is an address', { outgoing: ['https://api.example.com'] }, 'svc.outgoing'],
    ['a host with a port', { outgoing: ['api.example.com:443'] }, 'svc.outgoing'],
    ['a host that URLs spell differently', { outgoing: ['API.example.com'] }, 'svc.outgoing'],
    ['hosts of another kind', { outgoing: 'all' }, 'svc.outgoing'],
    ['an access below another’s path', { accesses: { link: 'public/budgets/[token]/x' } }, 'svc.accesses.link'],
    ['an access to an address', { accesses: { link: '/public/recall/x' } }, 'svc.accesses.link'],
    ['an access with a full name', { accesses: { 'Recall.link': 'public/recall/x' } }, 'svc.accesses']
  ])('with %s is an error that names the field', (_, svc, field) => {
    expect(parseManifest(aPackage(svc)).error).toContain(field)
  })

  test('names the hosts that the module calls, or that its settings name them', () => {
    for (const outgoing of [['api.example.com', 'xn--bcher-kva.example', '127.0.0.1', '[::1]'], 'settings'])
      expect(manifestOf({ outgoing }).outgoing).toEqual(outgoing)
    expect(manifestOf({}).outgoing).toEqual([])
  })

  test('may open a path of its own to its dependants', () => {
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
