import { createSchemas, type JsonSchema } from '../http/openapi/openapi-schemas.ts'
import type { SettingField } from '../../../shared/settings.ts'
import type { Declared } from './declaration.ts'

/** What a form needs to draw each field, in the order of the defaults. */
export function describeFields({ schema, defaults, secrets }: Declared): SettingField[] {
  const { properties = {} } = createSchemas().convert(schema, 'input') as { properties?: Record<string, JsonSchema> }
  return Object.entries(defaults).map(([name, value]) => {
    const forms = formsOf(properties[name] ?? {})
    const form = forms.find(({ type }) => type !== 'null') ?? {}
    const outer = properties[name] ?? {}
    return {
      name,
      kind: secrets.has(name) ? 'secret' : kindOf({ ...form, ...pickKind(outer) }, value),
      description: textOf(outer.description) ?? textOf(form.description),
      required: !forms.some(({ type }) => type === 'null'),
      choices: choicesOf(forms),
      whole: form.type === 'integer',
      minimum: numberOf(form.minimum),
      maximum: numberOf(form.maximum),
      max_length: numberOf(form.maxLength)
    }
  })
}

/** The alternatives of a schema, such as a number and null. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  return forms ? forms.flatMap(formsOf) : [schema]
}

const pickKind = ({ kind }: JsonSchema): JsonSchema => kind === undefined ? {} : { kind }

/** A schema that isn't zod's shows nothing of itself, so the default's type decides. */
function kindOf({ kind, type, enum: choices, const: only }: JsonSchema, value: unknown): SettingField['kind'] {
  if (kind === 'money') return 'money'
  if (choices !== undefined || only !== undefined) return 'choice'
  const known = type ?? (value === null ? 'string' : typeof value)
  if (known === 'string') return 'text'
  if (known === 'number' || known === 'integer') return 'number'
  return known === 'boolean' ? 'switch' : 'other'
}

function choicesOf(forms: JsonSchema[]): string[] | null {
  const choices = forms.flatMap(({ enum: all, const: only }) => (all as unknown[] | undefined) ?? [only])
  const texts = choices.filter(choice => typeof choice === 'string')
  return texts.length > 0 ? texts : null
}

const textOf = (value: unknown) => typeof value === 'string' ? value : null
const numberOf = (value: unknown) =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null
