import { addRoute, createRouter, findRoute } from 'rou3'
import { METHODS, nameOf, type Method } from './scan.ts'

interface Placed { method: Method, path: string }
export interface Matched<T> { route: T, params: Record<string, string> }
export interface Matcher<T> {
  /** By a request's method and raw path, without its query. */
  find (method: string, path: string): Matched<T> | null
  /** By the name of a route that the framework has found, such as `/api/v1/budgets/:id`. */
  named (method: string, name: string | undefined, path: string): Matched<T> | null
  /** The methods that `find` knows for a path. */
  methods (path: string): Method[]
}

/** Of two routes with one name the first counts; `onTaken` gets the other. Fixed segments win over parameters. */
export function createMatcher<T extends Placed>(routes: T[], onTaken: (route: T) => void = () => {}): Matcher<T> {
  const router = createRouter<{ route: T, segments: string[] }>()
  const byName = new Map<string, { route: T, segments: string[] }>()
  const taken = new Set<string>()
  for (const route of routes) {
    if (taken.has(nameOf(route))) {
      onTaken(route)
      continue
    }
    taken.add(nameOf(route))
    const known = { route, segments: route.path.split('/') }
    byName.set(`${route.method} ${route.path}`, known)
    addRoute(router, route.method.toUpperCase(), route.path, known)
  }

  const match = (known: { route: T, segments: string[] } | undefined, path: string): Matched<T> | null => {
    const params = known && paramsOf(known.segments, path)
    return params ? { route: known.route, params } : null
  }
  const find = (method: string, path: string) => match(findRoute(router, method.toUpperCase(), path)?.data, path)
  return {
    find,
    named: (method, name, path) => match(byName.get(`${method} ${name}`), path),
    methods: path => METHODS.filter(method => find(method, path))
  }
}

/**
 * From the raw path, so that an encoded slash stays inside its parameter; null where a fixed segment is written
 * otherwise, as with an escape, or a parameter is empty.
 */
function paramsOf(segments: string[], path: string): Record<string, string> | null {
  const given = path.split('/')
  if (given.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = given[index]!
    if (segment.startsWith(':')) {
      if (value === '') return null
      params[segment.slice(1)] = value.includes('%') ? decodeSegment(value) : value
    } else if (segment !== value) {
      return null
    }
  }
  return params
}

/**
 * What isn't percent-encoding or storable text becomes U+FFFD, which is never an identifier: a malformed one is as
 * unknown as any other.
 */
function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('\0') ? '\uFFFD' : decoded
  } catch {
    return '\uFFFD'
  }
}
