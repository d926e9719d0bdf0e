import { isDeepStrictEqual } from 'node:util'
import { invalid, toPointer, validate } from '../http/validate.ts'
import type { Declared } from './declaration.ts'

export type Values = Record<string, unknown>

export const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

export const pick = (values: Values, names: Iterable<string>): Values =>
  Object.fromEntries([...names].filter(name => Object.hasOwn(values, name)).map(name => [name, values[name]]))

/**
 * Values that fit the schema: of a stored value that doesn't, the default. `misfits` are the fields with such a value,
 * which an earlier version of the module has stored.
 */
export function fitted({ schema, defaults }: Declared, stored: Values): { values: Values, misfits: string[] } {
  const given = { ...defaults, ...pick(stored, Object.keys(defaults)) }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { values: parsed.data, misfits: [] }
  const misfits = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? '')))]
  const again = schema.safeParse({ ...given, ...pick(defaults, misfits) })
  return { values: again.success ? again.data : defaults, misfits }
}

/** All values after a change. A field that is an object keeps the parts that the change leaves out. */
export const merged = (before: Values, change: Values): Values => ({
  ...before,
  ...Object.fromEntries(Object.entries(change).map(([name, value]) => {
    const old = before[name]
    return [name, isPlain(old) && isPlain(value) ? { ...old, ...value } : value]
  }))
})

/** The values after the change. Throws `validation_failed`; the pointers are the change's. */
export function changed({ schema, defaults }: Declared, before: Values, change: Values): Values {
  const unknown = Object.keys(change).filter(name => !Object.hasOwn(defaults, name))
  if (unknown.length > 0) throw invalid(unknown.map(name => ({ pointer: toPointer([name]), message: 'Unknown field.' })))
  return validate(schema, merged(before, change)) as Values
}

/** The names of what differs, such as `api_key`, or `reminders.days` for a part of a field that is an object. */
export function namesOfChanges(before: Values, after: Values): string[] {
  return Object.keys(after).filter(name => !isDeepStrictEqual(after[name], before[name])).flatMap((name) => {
    const [old, now] = [before[name], after[name]]
    if (!isPlain(old) || !isPlain(now)) return [name]
    return Object.keys({ ...old, ...now }).filter(part => !isDeepStrictEqual(old[part], now[part]))
      .map(part => `${name}.${part}`)
  })
}

export const fieldOf = (name: string): string => name.split('.')[0]!

/** What leaves the server: of a secret only whether it is set. */
export const shown = ({ secrets }: Declared, values: Values, isSet: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, secrets.has(name) ? { set: isSet(name) } : value]))
