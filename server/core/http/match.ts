import { addRoute, createRouter, findRoute } from 'rou3'
import type { Method } from '../types.ts'
import { METHODS, nameOf } from './scan.ts'

interface Placed { method: Method, path: string }
export interface Matched<T> { route: T, params: Record<string, string> }
export interface Matcher<T> {
  /** Finds a route by a request's method and raw path, without the query. */
  find (method: string, path: string): Matched<T> | null
  /** Finds a route by the name that the framework has matched, such as `/api/v1/budgets/:id`. */
  named (method: string, name: string | undefined, path: string): Matched<T> | null
  /** The methods of all routes that match a path. */
  methods (path: string): Method[]
}

/** If two routes have one name, the first wins, and `onTaken` gets the other. Fixed segments win over parameters. */
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
 * Reads the raw path, so that an encoded slash stays inside its parameter. Null if a fixed segment is spelled
 * differently, for instance with an escape, or if a parameter is empty.
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
 * Malformed percent-encoding and text that can't be stored become U+FFFD, which no identifier contains, so that the id
 * is simply unknown.
 */
function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('\0') ? '\uFFFD' : decoded
  } catch {
    return '\uFFFD'
  }
}
