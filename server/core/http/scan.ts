import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint, EndpointHandler } from '@svc/kit'
import type { Method, Route } from '../types.ts'

export const METHODS: readonly Method[] = ['get', 'post', 'patch', 'put', 'delete']

/** One file: `budgets/[id]/send.post.ts` below `/api/v1` is `POST /api/v1/budgets/:id/send`. */
export interface EndpointFile { file: string, method: Method, path: string }

/**
 * The endpoints below a folder, sorted by their files. Nitro's rules for names, as far as endpoints use them:
 * `[name]` is a parameter, `index` is the folder itself, the method comes before the extension. Names that begin with
 * `_` or `[...` are left out. Empty if there is no such folder. Throws for a file without a method.
 */
export function scan(folder: string, base = '/api/v1'): EndpointFile[] {
  return filesBelow(folder).filter(file => /\.(?:ts|js|mjs)$/.test(file) && !/(?:^|\/)(?:_|\[\.\.\.)/.test(file)).sort()
    .map(file => ({ file: join(folder, file), ...placeOf(file, base) }))
}

function placeOf(file: string, base: string): { method: Method, path: string } {
  const [, name, method] = /^(.*)\.([a-z]+)\.\w+$/.exec(file) ?? []
  if (name === undefined || !METHODS.includes(method as Method)) {
    throw new Error(`${file}: the name of an endpoint's file ends with its method, such as notes.get.js`)
  }
  return { method: method as Method, path: endpointPath(name.replace(/(?:^|\/)index$/, ''), base) }
}

/** `things/[id]` is `/api/v1/things/:id`. */
export function endpointPath(name: string, base = '/api/v1'): string {
  const path = name.replaceAll(/\[([^/\]]+)\]/g, ':$1')
  return path === '' ? base : `${base}/${path}`
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => file.replaceAll('\\', '/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** A file exports either the kit's handler or a plain object of the same shape. */
export const endpointOf = (exported: unknown): Endpoint | undefined =>
  (exported as Partial<EndpointHandler> | undefined)?.svc_endpoint ?? exported as Endpoint | undefined

/** The names of parameters don't matter: `/x/:a` and `/x/:b` are one route. */
export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:[^/]+/g, ':')}`
