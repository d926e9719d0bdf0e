import { describe, expect, test } from 'vitest'
import { createRoutes } from '../../../server/core/http/routes.ts'

function routesOf(...paths: string[]) {
  const routes = createRoutes<string>()
  for (const path of paths) routes.add('get', path, path)
  return (path: string) => {
    const found = routes.find(path)
    const mounted = found?.byMethod.get('get')
    return mounted ? [mounted.value, Object.fromEntries(mounted.names.map((name, index) => [name, found!.values[index]]))] : null
  }
}

describe('routes', () => {
  test('a fixed segment wins over a parameter, and a dead end falls back to it', () => {
    const find = routesOf('/modules/:name', '/modules/-/active', '/modules/:name/install')
    expect(find('/modules/-/active')).toEqual(['/modules/-/active', {}])
    expect(find('/modules/x')).toEqual(['/modules/:name', { name: 'x' }])
    expect(find('/modules/-/install')).toEqual(['/modules/:name/install', { name: '-' }])
    expect(find('/modules/-/other')).toBe(null)
  })

  test('parameters of one place may have several names', () => {
    const find = routesOf('/a/:id', '/a/:key/rows/:id')
    expect(find('/a/1')).toEqual(['/a/:id', { id: '1' }])
    expect(find('/a/1/rows/2')).toEqual(['/a/:key/rows/:id', { key: '1', id: '2' }])
  })

  test('an encoded slash stays inside its segment, and an empty segment is no parameter', () => {
    const find = routesOf('/a/:id')
    expect(find('/%61/b')).toBe(null)
    expect(find('/a/b%2Fc')).toEqual(['/a/:id', { id: 'b/c' }])
    expect(find('/a/')).toBe(null)
    expect(find('/a/b/c')).toBe(null)
  })

  test('what is no path finds nothing', () => {
    const find = routesOf('/a')
    for (const path of ['', '*', 'a', 'constructor', '/__proto__', 'http://x/a']) expect(find(path)).toBe(null)
  })

  test('a route that is taken stays with the first', () => {
    const routes = createRoutes<number>()
    expect([routes.add('get', '/a/:x', 1), routes.add('get', '/a/:y', 2), routes.add('post', '/a/:y', 3)]).toEqual([true, false, true])
    expect(routes.find('/a/1')!.byMethod.get('get')!.value).toBe(1)
  })
})
