import type { Schema } from '@svc/kit'
import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

export interface Schemas {
  /** The JSON Schema of a request or an answer; named parts become components. `{}` for a schema that isn't zod's. */
  convert (schema: Schema, io: 'input' | 'output'): JsonSchema
  /** A reference to a component. */
  add (name: string, schema: JsonSchema): JsonSchema
  all (): Record<string, JsonSchema>
}

/** The `components.schemas` of one OpenAPI document, collected while its paths are written. */
export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}

  function add(name: string, schema: JsonSchema): JsonSchema {
    components[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    add,
    all: () => components,
    convert(schema, io) {
      if (!('_zod' in schema)) return {}
      const converted = toJsonSchema(schema as unknown as z.ZodType, io)
      if (!converted) return {}
      const { $schema: _, $defs, ...rest } = converted
      // One schema differs as a request (defaults are optional) and as an answer.
      const nameOf = (id: string) => io === 'input' ? `${id}Request` : id
      const rename = (value: JsonSchema) => moveReferences(value, nameOf)
      for (const [id, part] of Object.entries(($defs as Record<string, JsonSchema> | undefined) ?? {}))
        add(nameOf(id), rename(part))
      return rename(rest)
    }
  }
}

/** Null for a schema of another version of zod that ours can't read: one module must not break the whole document. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema | null {
  try {
    return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  } catch {
    return null
  }
}

function moveReferences(schema: JsonSchema, nameOf: (id: string) => string): JsonSchema {
  const text = JSON.stringify(schema).replace(
    /"#\/\$defs\/([^"]+)"/g,
    (_, id: string) => `"#/components/schemas/${nameOf(id)}"`
  )
  return JSON.parse(text) as JsonSchema
}
