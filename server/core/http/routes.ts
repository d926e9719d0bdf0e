/** Routes by path: `:name` takes one segment. Fixed segments win over parameters. */
export interface Routes<T> {
  /** False when the method and path are taken: the first keeps them. */
  add (method: string, path: string, value: T): boolean
  /** Null for an unknown path. `byMethod` holds what is mounted there, with the values of its parameters. */
  find (path: string): Found<T> | null
}
export interface Found<T> { byMethod: Map<string, Mounted<T>>, values: string[] }
interface Mounted<T> { value: T, names: string[] }
interface Node<T> { fixed: Map<string, Node<T>>, parameter: Node<T> | null, byMethod: Map<string, Mounted<T>> | null }

const newNode = <T>(): Node<T> => ({ fixed: new Map(), parameter: null, byMethod: null })

/**
 * Our own and not the framework's router: that one decides by the decoded path, lets the parameter names of one
 * module shadow another's, and knows neither HEAD nor `Allow`.
 */
export function createRoutes<T>(): Routes<T> {
  const root = newNode<T>()
  return {
    add(method, path, value) {
      const segments = path.split('/').slice(1)
      let node = root
      for (const segment of segments) node = child(node, segment)
      node.byMethod ??= new Map()
      if (node.byMethod.has(method)) return false
      node.byMethod.set(method, { value, names: segments.filter(isParameter).map(segment => segment.slice(1)) })
      return true
    },
    find(path) {
      const values: string[] = []
      const byMethod = walk(root, path.split('/').slice(1), 0, values)
      return byMethod && { byMethod, values }
    }
  }
}

const isParameter = (segment: string) => segment.startsWith(':')

function child<T>(node: Node<T>, segment: string): Node<T> {
  if (isParameter(segment)) return node.parameter ??= newNode()
  const known = node.fixed.get(segment)
  if (known) return known
  const made = newNode<T>()
  node.fixed.set(segment, made)
  return made
}

function walk<T>(node: Node<T>, segments: string[], depth: number, values: string[]): Node<T>['byMethod'] {
  if (depth === segments.length) return node.byMethod
  const segment = segments[depth]!
  const fixed = node.fixed.get(segment)
  const found = fixed && walk(fixed, segments, depth + 1, values)
  if (found) return found
  if (!node.parameter || segment === '') return null
  values.push(segment.includes('%') ? decodeSegment(segment) : segment)
  const byParameter = walk(node.parameter, segments, depth + 1, values)
  if (!byParameter) values.pop()
  return byParameter
}

/**
 * A parameter by itself, so that an encoded slash stays inside it; fixed segments count as they are written. What is no
 * percent-encoding or no storable text becomes U+FFFD, which is no identifier: a malformed one is as unknown as any other.
 */
function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('\0') ? '\uFFFD' : decoded
  } catch {
    return '\uFFFD'
  }
}
