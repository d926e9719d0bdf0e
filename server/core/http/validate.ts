import { problem, type Problem, type Schema } from '@svc/kit'
import { describeIssue } from '@svc/kit/issues'
import { isStorableText } from './storable.ts'

interface Issue { path: PropertyKey[], message: string, code?: string, keys?: string[] }
interface FieldError { pointer: string, message: string }

const MAX_ERRORS = 100

/** The input as parsed by the schema. Throws `validation_failed`. Without a schema, nothing may be sent. */
export function validate(schema: Schema | undefined, input: unknown): unknown {
  if (!schema) return refuseAll(input)
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.flatMap(toFieldErrors).slice(0, MAX_ERRORS))
}

function refuseAll(input: unknown): undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid([{ pointer: '', message: 'Nothing is expected here.' }])
  const names = Object.keys(input)
  if (names.length > 0)
    throw invalid(names.slice(0, MAX_ERRORS).map(name => ({ pointer: toPointer([name]), message: 'Unknown field.' })))
  return undefined
}

export const invalid = (errors: FieldError[]): Problem => problem('validation_failed', { errors })

/** Each unknown member gets its own error; the schema reports them together at their parent. */
function toFieldErrors(issue: Issue): FieldError[] {
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    return issue.keys.map(key => ({ pointer: toPointer([...issue.path, key]), message: 'Unknown field.' }))
  }
  return [{ pointer: toPointer(issue.path), message: issue.message }]
}

/** A JSON Pointer (RFC 6901). */
export const toPointer = (path: readonly PropertyKey[]) =>
  path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export type Query = Record<string, string | string[]>

/**
 * The names of members that the schema expects as lists or integers, also inside `optional`, `default` and the like.
 */
export interface QueryMembers { lists: ReadonlySet<string>, integers: ReadonlySet<string> }

/**
 * `status=a&status=b` → `['a', 'b']`. A parameter that the schema expects as a list is a list even if it occurs once.
 * Malformed percent-encoding becomes U+FFFD, which no identifier, number or state contains.
 */
export function parseQuery(text: string, { lists, integers }: QueryMembers): Query {
  // Without a prototype, `__proto__` is an ordinary unknown name.
  const query: Query = Object.create(null) as Query
  for (const [name, sent] of new URLSearchParams(text)) {
    if (!isStorableText(sent) || !isStorableText(name))
      throw invalid([{ pointer: toPointer([name]), message: 'Must be valid text.' }])
    const value = integers.has(name) && !INTEGER.test(sent) ? NO_NUMBER : sent
    const before = query[name]
    if (before === undefined) query[name] = lists.has(name) ? [value] : value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}

// A coercing schema accepts whatever Number() does: 0x1, 1e3, 1.0, surrounding blanks, an empty text.
const INTEGER = /^-?\d+$/
const NO_NUMBER = 'NaN'

export function queryMembers(schema: Schema | undefined): QueryMembers {
  const shape = Object.entries((schema as { shape?: Record<string, ZodLike> } | undefined)?.shape ?? {})
  const named = (is: (member: ZodLike | undefined) => boolean) =>
    new Set(shape.filter(([, member]) => is(member)).map(([name]) => name))
  return { lists: named(isList), integers: named(isInteger) }
}

interface ZodLike { def?: { type?: string, innerType?: ZodLike, element?: ZodLike }, isInt?: boolean }

function isList(schema: ZodLike | undefined): boolean {
  if (!schema?.def) return false
  return schema.def.type === 'array' || isList(schema.def.innerType)
}

function isInteger(schema: ZodLike | undefined): boolean {
  if (!schema?.def) return false
  return schema.isInt === true || isInteger(schema.def.innerType ?? schema.def.element)
}
