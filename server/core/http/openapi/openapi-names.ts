import type { Mount } from '../types.ts'

type Place = Pick<Mount, 'method' | 'path' | 'module'>

/** How an operation is listed: by a short name, in the group of its resource. */
export interface OperationName { tag: string, name: string }

const OF_ITEMS: Record<string, string> = { get: 'Get', post: 'Answer', put: 'Replace', patch: 'Change', delete: 'Delete' }
const OF_ALL: Record<string, string> = { ...OF_ITEMS, get: 'List', post: 'Create' }
const VERBS: Record<string, string> = { get: 'Get ', post: '', put: 'Set ', patch: 'Change ', delete: 'Delete ' }

/**
 * `POST /api/v1/budget/budgets/:id/set-public-code` is "Set public code" of "Budgets". A module's path names a resource
 * if a path below it has an id; otherwise the module is the group. A path without others below it, such as `/me`,
 * belongs to the service. `places`: all mounted ones.
 */
export function createNames(places: Place[]): (place: Place) => OperationName {
  const collections = new Set(places.flatMap(({ path }) => /^(.*?)\/:/.exec(path)?.[1] ?? []))

  return ({ method, path, module }) => {
    const [, rest] = /^\/api\/v1\/(.*)$/.exec(path) ?? []
    const parts = rest?.split('/') ?? []
    const isAlone = !module && !places.some(other => other.path.startsWith(`/api/v1/${parts[0]}/`))
    if (rest === undefined || isAlone)
      return { tag: 'Service', name: sentence(`${VERBS[method]}${words(rest ?? path)}`) }
    const depth = parts[0] === 'public' || (module && collections.has(`/api/v1/${parts.slice(0, 2).join('/')}`)) ? 2 : 1
    const tag = depth === 2 ? parts.slice(parts[0] === 'public' ? 0 : 1, 2).join(' ') : parts[0]!
    const below = parts.slice(depth)
    const action = words(below.filter(part => !part.startsWith(':') && part !== '-').join(' '))
    const isItem = below.at(-1)?.startsWith(':') ?? false
    const name = action ? `${isItem ? `${OF_ITEMS[method]} ` : VERBS[method]}${action}` : (isItem ? OF_ITEMS : OF_ALL)[method]!
    return { tag: sentence(tag), name: sentence(name) }
  }
}

const words = (path: string) => path.replace(/[/-]+/g, ' ').replace(/\bpdf\b/g, 'PDF').trim()
const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`
