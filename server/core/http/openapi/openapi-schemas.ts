import type { Schema } from '@svc/kit'
import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

export interface Schemas {
  /**
   * JSON Schema of what comes in or goes out; named parts become components. `{}` for a schema that is not zod's.
   */
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
      // One schema reads differently as a request (defaults are optional) and as an answer.
      const nameOf = (id: string) => io === 'input' ? `${id}Request` : id
      const rename = (value: JsonSchema) => moveReferences(value, nameOf)
      for (const [id, part] of Object.entries(($defs as Record<string, JsonSchema> | undefined) ?? {}))
        add(nameOf(id), rename(part))
      return rename(rest)
    }
  }
}

/**
 * Null for what a package's own version of zod makes and ours cannot read: one module must not cost the whole document.
 */
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
