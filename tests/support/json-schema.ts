import fc, { type Arbitrary } from 'fast-check'

export interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minimum?: number
  maximum?: number
  maxLength?: number
}

const NASTY = ['', ' ', '\0', '\u202Eevil', '\uFFFF', '😀'.repeat(50), '<img src=x onerror=alert(1)>', '{{constructor}}', '\'; drop table budget; --', '%', '_', '\\',
  '-1', '0', '1e999', 'NaN', '9'.repeat(30), '0000-00-00', '2026-02-30', '275761-01-01', '00000000-0000-0000-0000-000000000000', 'null', 'data:image/png;base64,AAAA', '../../etc/passwd']

const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], { a: { b: [] } }, ...NASTY),
  fc.string({ unit: 'binary' })
)

/** Half of them fit the schema, the others hold somewhere what nobody expects. `ids` are ids that exist. */
export function valuesOf(schema: JsonSchema, ids: string[]): Arbitrary<unknown> {
  return fc.oneof(fitting(schema, ids, 0), orAnything(schema, ids, 1))
}

const orAnything = (schema: JsonSchema, ids: string[], weight: number): Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fitting(schema, ids, weight), weight: 8 }, { arbitrary: anything, weight })

function fitting(schema: JsonSchema, ids: string[], odd: number): Arbitrary<unknown> {
  const variants = schema.anyOf ?? schema.oneOf
  const part = (member: JsonSchema) => odd === 0 ? fitting(member, ids, 0) : orAnything(member, ids, odd)
  if (variants) return fc.oneof(...variants.map(part))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object': return fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, part(member)])),
      { requiredKeys: schema.required ?? [] }
    )
    case 'array': return fc.array(part(schema.items ?? {}), { maxLength: 4 })
    case 'integer': return fc.oneof(fc.integer({ min: schema.minimum ?? -5, max: Math.max(schema.minimum ?? -5, Math.min(schema.maximum ?? 1000, 2 ** 31)) }), fc.maxSafeInteger())
    case 'number': return fc.double()
    case 'boolean': return fc.boolean()
    case 'null': return fc.constant(null)
    case 'string': return texts(schema, ids)
    default: return anything
  }
}

function texts({ format, pattern, maxLength = 100 }: JsonSchema, ids: string[]): Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid())
  if (format === 'email') return fc.constantFrom('a@b.test', 'A+b@c.test', 'nobody')
  if (format === 'date') return fc.oneof(fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') }).map(date => date.toISOString().slice(0, 10)), fc.constantFrom('2026-02-30', '9999-12-31'))
  if (pattern && !format) return fc.stringMatching(new RegExp(pattern), { maxLength })
  return fc.oneof(
    fc.string({ maxLength: Math.min(maxLength, 30) }),
    fc.constantFrom(...NASTY, '100.00', '0.01', '21', '482913', 'en', 'es', 'EUR', 'Europe/Madrid', ...ids),
    fc.constant('x'.repeat(Math.min(maxLength, 3000)))
  )
}
