import fc, { type Arbitrary } from 'fast-check'
import type { Things } from './fuzz/things.ts'

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

const NASTY = [
  '',
  ' ',
  '\0',
  '\u202Eevil',
  '\uFFFF',
  '😀'.repeat(50),
  '<img src=x onerror=alert(1)>',
  '{{constructor}}',
  '\'; drop table budget; --',
  '%',
  '_',
  '\\',
  '-1',
  '0',
  '1e999',
  'NaN',
  '9'.repeat(30),
  '0000-00-00',
  '2026-02-30',
  '275761-01-01',
  '00000000-0000-0000-0000-000000000000',
  'null',
  'data:image/png;base64,AAAA',
  '../../etc/passwd'
]

const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], { a: { b: [] } }, ...NASTY),
  fc.string({ unit: 'binary' })
)

/** Half of them fit the schema. The others contain an unexpected value in one place. `name` is the member's name. */
export function valuesOf(schema: JsonSchema, things: Things, name = ''): Arbitrary<unknown> {
  return fc.oneof(fitting(schema, { things, name, odd: 0 }), orAnything(schema, { things, name, odd: 1 }))
}

interface Where { things: Things, name: string, odd: number }

const orAnything = (schema: JsonSchema, where: Where): Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fitting(schema, where), weight: 12 }, { arbitrary: anything, weight: where.odd })

function fitting(schema: JsonSchema, where: Where): Arbitrary<unknown> {
  const variants = schema.anyOf ?? schema.oneOf
  const part = (member: JsonSchema, name = where.name) =>
    where.odd === 0 ? fitting(member, { ...where, name }) : orAnything(member, { ...where, name })
  if (variants) return fc.oneof(...variants.map(variant => part(variant)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, part(member, name)])),
        { requiredKeys: schema.required ?? [] }
      )
    case 'array':
      return fc.array(part(schema.items ?? {}), { maxLength: 4 })
    case 'integer':
      return fc.oneof(
        {
          arbitrary: fc.integer({
            min: schema.minimum ?? -5,
            max: Math.max(schema.minimum ?? -5, Math.min(schema.maximum ?? 1000, 2 ** 31))
          }),
          weight: 4
        },
        { arbitrary: fc.maxSafeInteger(), weight: 1 }
      )
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return texts(schema, where)
    default:
      return anything
  }
}

/** Typical values for members with such names: without them most calls fail at the first check. */
const USUAL: [RegExp, string[]][] = [
  [/price|amount|value|vat|total/, ['100.00', '0.01', '21', '0', '99999.99', '12.345']],
  [/code/, ['482913', '111111', 'T-9']],
  [/locale|lang/, ['en', 'es', 'ar']],
  [
    /url/,
    [
      'https://hooks.example.test/in',
      'https://127.0.0.1/',
      'http://hooks.example.test/',
      'https://a:b@hooks.example.test/'
    ]
  ],
  [/time_zone/, ['Europe/Madrid', 'America/Caracas']],
  [
    /image/,
    [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    ]
  ],
  [/name|reason|note/, ['Ana', 'Lucía Muñoz', '王小明', 'محمد']]
]

function texts({ format, pattern, maxLength = 100 }: JsonSchema, { things, name }: Where): Arbitrary<string> {
  const meant = things.forMember(name)
  if (meant) return fc.oneof({ arbitrary: meant, weight: 9 }, { arbitrary: fc.uuid(), weight: 1 })
  if (format === 'uuid') return fc.oneof(things.pick(''), fc.uuid())
  if (format === 'email') return fc.constantFrom('a@b.test', 'A+b@c.test', 'nobody')
  if (format === 'date')
    return fc.oneof(
      fc
        .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') })
        .map(date => date.toISOString().slice(0, 10)),
      fc.constantFrom('2026-02-30', '9999-12-31', '2099-01-01')
    )
  const usual = USUAL.find(([names]) => names.test(name))?.[1]
  if (usual && !pattern)
    return fc.oneof(
      { arbitrary: fc.constantFrom(...usual), weight: 3 },
      { arbitrary: anyText(maxLength, things), weight: 1 }
    )
  if (pattern && !format)
    return fc.oneof(
      fc.stringMatching(new RegExp(pattern), { maxLength }),
      fc.constantFrom('482913', '100.00', 'EUR', 'en')
    )
  return anyText(maxLength, things)
}

const anyText = (maxLength: number, things: Things) => fc.oneof(
  fc.string({ maxLength: Math.min(maxLength, 30) }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(...NASTY, '100.00', '0.01', '21', '482913', 'en', 'es', 'EUR', 'Europe/Madrid'),
  things.pick(''),
  fc.constant('x'.repeat(Math.min(maxLength, 3000)))
)
