import * as z from 'zod'

/** A field of a module's settings, for its form. */
export const SettingField = z.object({
  name: z.string(),
  /** `other` needs a component of the module's layer. */
  kind: z.enum(['text', 'number', 'money', 'choice', 'switch', 'secret', 'other']),
  /** From the module's schema; the texts of its layer come first. */
  description: z.string().nullable(),
  /** False if the field may be null. */
  required: z.boolean(),
  choices: z.array(z.string()).nullable(),
  /** Whether a number has no decimals. */
  whole: z.boolean(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  max_length: z.int().nullable()
})

/** A running module that has settings, for callers with its permission. */
export const ModuleSettings = z.object({ module: z.string(), permission: z.string(), fields: z.array(SettingField) })

/** The values by field; of a secret `{ "set": true }` or `{ "set": false }`. */
export const SettingValues = z.record(z.string(), z.unknown())
/** Omitted fields stay unchanged. A text replaces a secret, null removes it. */
export const SettingsChange = z.record(z.string(), z.unknown())

export type SettingField = z.infer<typeof SettingField>
export type ModuleSettings = z.infer<typeof ModuleSettings>
export type SettingValues = z.infer<typeof SettingValues>
