import { describe, expect, test } from 'vitest'
import { createMatcher } from '../../../server/core/http/match.ts'

function routesOf(...paths: string[]) {
  const matcher = createMatcher(paths.map(path => ({ method: 'get' as const, path })))
  return (path: string) => {
    const found = matcher.find('get', path)
    return found && [found.route.path, found.params]
  }
}

describe('the route matcher', () => {
  test('prefers a fixed segment to a parameter, and falls back to the parameter when it finds no route', () => {
    const find = routesOf('/modules/:name', '/modules/-/active', '/modules/:name/install')
    expect(find('/modules/-/active')).toEqual(['/modules/-/active', {}])
    expect(find('/modules/x')).toEqual(['/modules/:name', { name: 'x' }])
    expect(find('/modules/-/install')).toEqual(['/modules/:name/install', { name: '-' }])
    expect(find('/modules/-/other')).toBe(null)
  })

  test('accepts different parameter names at one position', () => {
    const find = routesOf('/a/:id', '/a/:key/rows/:id')
    expect(find('/a/1')).toEqual(['/a/:id', { id: '1' }])
    expect(find('/a/1/rows/2')).toEqual(['/a/:key/rows/:id', { key: '1', id: '2' }])
  })

  test('keeps an encoded slash inside its segment, and never matches a parameter with an empty segment', () => {
    const find = routesOf('/a/:id')
    expect(find('/%61/b')).toBe(null)
    expect(find('/a/b%2Fc')).toEqual(['/a/:id', { id: 'b/c' }])
    expect(find('/a/')).toBe(null)
    expect(find('/a/b/c')).toBe(null)
  })

  test('finds no route for an invalid path', () => {
    const find = routesOf('/a')
    for (const path of ['', '*', 'a', 'constructor', '/__proto__', 'http://x/a']) expect(find(path)).toBe(null)
  })

  test('keeps the first of two routes with the same path', () => {
    const refused: number[] = []
    const matcher = createMatcher(
      [
        { method: 'get' as const, path: '/a/:x', value: 1 },
        { method: 'get' as const, path: '/a/:y', value: 2 },
        { method: 'post' as const, path: '/a/:y', value: 3 }
      ],
      ({ value }) => refused.push(value)
    )
    expect(refused).toEqual([2])
    expect(matcher.find('get', '/a/1')!.route.value).toBe(1)
    expect(matcher.methods('/a/1')).toEqual(['get', 'post'])
    expect(matcher.methods('/a')).toEqual([])
  })

  test('finds a route from the framework by its name, and reads the raw path', () => {
    const matcher = createMatcher([{ method: 'get' as const, path: '/a/:id' }])
    expect(matcher.named('get', '/a/:id', '/a/b%2Fc')!.params).toEqual({ id: 'b/c' })
    expect(matcher.named('get', '/a/:id', '/%61/b')).toBe(null)
    expect(matcher.named('post', '/a/:id', '/a/b')).toBe(null)
    expect(matcher.named('get', undefined, '/a/b')).toBe(null)
  })
})
