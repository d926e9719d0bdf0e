import { execFileSync } from 'node:child_process'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { isNamedAccess } from '../../../server/core/http/named-access.ts'
import { endpointOf } from '../../../server/core/http/scan.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { official, root } from '../../support/modules/official.ts'

let built: Built
let described: string[]
beforeAll(async () => {
  built = await aBuiltInstance()
  const { paths } = (await built.anonymous().get('/api/v1/openapi.json')).body as { paths: Record<string, object> }
  described = Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method} ${path}`))
    .sort()
})
afterAll(() => built.close())

const PROBES = ['get /health', 'get /livez', 'get /readyz']
const anId = '00000000-0000-4000-8000-000000000000'

test('every endpoint is a file: those below api/v1 are the paths of the OpenAPI document', () => {
  const files = execFileSync(
    'find',
    [
      'server/api',
      ...['billing', 'budget', 'catalog', 'clinical', 'reports'].map(name => `layers/${name}/server/api`),
      '-path',
      '*api/v1*',
      '-name',
      '*.ts'
    ],
    { cwd: root, encoding: 'utf8' }
  )
  const named = files.trim().split('\n').map((file) => {
    const [, path, method] = /server\/api(\/v1.*?)(?:\/index)?\.([a-z]+)\.ts$/.exec(file)!
    return `${method} /api${path!.replaceAll(/\[(\w+)\]/g, '{$1}')}`
  })
  expect(named.sort()).toEqual(described.filter(route => route.includes(' /api/v1/')))
})

/** An operator installs `payments` and `sms`; without them, the built server has none of their routes. */
const routesOfAll = official.routes.filter(({ path }) => !/\/(?:payments\/(?:attention|requests|test|pay|webhooks)|x\/payments|sms)\b/.test(path))

test('the build finds the same endpoints as the scanner for packages and tests', () => {
  const scanned = routesOfAll.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect([...scanned, ...PROBES].sort()).toEqual(described)
})

describe('the built server runs the right file:', () => {
  const REFUSED = { 'session': 401, 'admin-token': 401 }
  const routes = routesOfAll.map(route => [`${route.method} ${route.path}`, route] as const)

  test.each(routes)('%s', async (_, { method, path, load }) => {
    const { access } = endpointOf((await load()).default)!
    const address = `${built.url}${path.replaceAll(/:\w+/g, anId)}`
    const answer = await fetch(address, { method: method.toUpperCase(), redirect: 'manual' })
    const { code }
      = answer.headers.get('content-type') === 'application/problem+json'
        ? ((await answer.json()) as { code: string })
        : { code: null }
    // A path or method without a file would be answered "not_found" or "method_not_allowed" for every caller.
    if (typeof access === 'function' || isNamedAccess(access)) expect([answer.status, code]).toEqual([404, 'link_not_found'])
    else if (access !== 'none')
      expect([answer.status, code]).toEqual([typeof access === 'object' ? 401 : REFUSED[access], 'unauthorized'])
    else expect(code).not.toBe('method_not_allowed')
    if (method !== 'get') return
    const head = await fetch(address, { method: 'HEAD', redirect: 'manual' })
    expect([head.status, await head.text()]).toEqual([answer.status, ''])
  })
})

describe('a request to the built server', () => {
  const ask = async (method: string, path: string) => {
    const { status, headers } = await fetch(`${built.url}${path}`, { method })
    return { status, allow: headers.get('allow'), type: headers.get('content-type') }
  }
  const problem = 'application/problem+json'

  test('with an unsupported method is answered with 405 and the allowed methods', async () => {
    expect(await ask('PUT', '/api/v1/users')).toEqual({ status: 405, allow: 'GET, HEAD, POST', type: problem })
    expect(await ask('DELETE', '/api/v1/modules/-/active')).toEqual({ status: 405, allow: 'GET, HEAD', type: problem })
    expect(await ask('POST', '/me')).toEqual({ status: 405, allow: 'GET, HEAD', type: problem })
    expect(await ask('POST', '/api/docs')).toEqual({ status: 405, allow: 'GET, HEAD', type: problem })
  })

  test('for an unknown path, or for a known one in another spelling, is answered with 404', async () => {
    for (const path of [
      '/api/v1',
      '/api/v1/nothing',
      '/api/nothing',
      '/api/v1/users/',
      '/api/v1//users',
      '/api/v1/%75sers',
      '/api/v1/catalog/treatments/a%2Fb/c'
    ]) {
      expect([path, await ask('GET', path)]).toEqual([path, { status: 404, allow: null, type: problem }])
    }
  })

  test('for an unknown path is answered with 404 for every method', async () => {
    const unknown = [
      '/api/nope', '/api', '/api/v2/budget/budgets', '/api/v1/nope', '/nope', '/p/nope', '/users/7/8', '/_nuxt/nope.js'
    ]
    for (const path of unknown) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, allow, type } = await ask(method, path)
        expect([method, path, status, allow, type]).toEqual([method, path, 404, null, problem])
      }
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
    }
  })

  test('for a page, file or probe with another method is answered with 405', async () => {
    const [file] = /\/_nuxt\/[\w.-]+\.js/.exec(await (await fetch(`${built.url}/login`)).text())!
    for (const path of ['/', '/login', '/budgets/7/edit', '/verify?x=1', '/livez', '/metrics', file])
      expect([path, await ask('POST', path)]).toEqual([path, { status: 405, allow: 'GET, HEAD', type: problem }])
  })

  test('can have an encoded slash inside a parameter', async () => {
    const admin = await built.as('admin')
    for (const path of ['/api/v1/catalog/treatments/a%2Fb', '/api/v1/users/%00', '/api/v1/users/%E0%A4%A']) {
      expect([path, (await admin.get(path)).body.code]).toEqual([path, 'not_found'])
    }
  })
})
