import { problem, type Schema, type SettingsDeclaration } from '@svc/kit'
import type { Registry, RunningModule } from '../host.ts'
import { isPlain, type Values } from './values.ts'

/** What a running module declares of its settings, with every default filled in. */
export interface Declared {
  module: string
  schema: Schema<Values>
  defaults: Values
  secrets: ReadonlySet<string>
  sent_to: Readonly<Record<string, readonly string[]>>
  permission: string
  on_screens: readonly string[]
  in_clinic: readonly { field: string, after: string }[]
}

/** Throws a sentence unless an entry's `settings` have this shape. */
export function checkSettings(settings: unknown): void {
  if (!isPlain(settings)) throw new Error('settings is not a table of {schema, defaults}')
  const { schema, defaults, secrets = [], sent_to = {}, permission, on_screens = [], in_clinic = [] } = settings
  if (typeof (schema as Partial<Schema> | null)?.safeParse !== 'function' || !isPlain(defaults))
    throw new Error('settings needs a schema with safeParse and its defaults')
  if (![secrets, on_screens].every(isNames) || !Array.isArray(in_clinic) || !in_clinic.every(isPlace))
    throw new Error('settings: secrets and on_screens are lists of fields, in_clinic of {field, after}')
  const isSecret = (name: string) => (secrets as string[]).includes(name)
  if (permission !== undefined && typeof permission !== 'string')
    throw new Error('settings: permission is the full name of a permission')
  if (!isPlain(sent_to) || !Object.values(sent_to).every(names => isNames(names) && names.every(isSecret)))
    throw new Error('settings: sent_to has lists of secrets by the field of an address')
  const places = (in_clinic as { field: string }[]).map(({ field }) => field)
  const named = [...secrets as string[], ...Object.keys(sent_to), ...on_screens as string[], ...places]
  const unknown = named.filter(name => !Object.hasOwn(defaults, name))
  if (unknown.length > 0) throw new Error(`settings: no default for ${unknown.join(', ')}`)
  const shown = (secrets as string[]).filter(name => [...on_screens as string[], ...places].includes(name))
  if (shown.length > 0) throw new Error(`settings: a secret cannot be shown: ${shown.join(', ')}`)
  const parsed = (schema as Schema).safeParse(defaults)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ')
    throw new Error(`settings: the defaults don't fit the schema: ${wrong}`)
  }
}

const isNames = (value: unknown) => Array.isArray(value) && value.every(name => typeof name === 'string')
const isPlace = (value: unknown) =>
  isPlain(value) && typeof value.field === 'string' && typeof value.after === 'string'

/** Null for a module without settings. */
export function declaredBy(
  { name, definition: { settings } }: Pick<RunningModule, 'name' | 'definition'>
): Declared | null {
  return settings ? toDeclared(name, settings) : null
}

const toDeclared = (module: string, settings: SettingsDeclaration): Declared => ({
  module,
  schema: settings.schema as Schema<Values>,
  defaults: settings.defaults,
  secrets: new Set(settings.secrets),
  sent_to: settings.sent_to ?? {},
  permission: settings.permission ?? 'clinic.manage',
  on_screens: settings.on_screens ?? [],
  in_clinic: settings.in_clinic ?? []
})

/** Of all running modules, dependencies first. */
export const declaredIn = ({ modules }: Registry): Declared[] =>
  modules.map(declaredBy).filter(declared => declared !== null)

/** Throws `module_errored` for an installed module that does not run, and `not_found` for one without settings. */
export function getDeclared(registry: Registry, name: string): Declared {
  const module = registry.get(name)
  const declared = module && declaredBy(module)
  if (declared) return declared
  throw problem(registry.broken.some(broken => broken.name === name) ? 'module_errored' : 'not_found')
}
