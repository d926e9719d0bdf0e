import { z } from 'zod'
import { Instant } from './common.ts'

export const ActiveModule = z.object({
  name: z.string(),
  version: z.string(),
  category: z.string(),
  summary: z.string().nullable(),
  navigation: z.array(z.object({ label: z.string(), to: z.string(), icon: z.string().nullable(), permission: z.string().nullable(), order: z.number() })),
  permissions: z.array(z.string())
})

/** As `svc modules list --json`. */
export const ModuleRow = z.object({
  name: z.string(),
  version: z.string().nullable(),
  disk_version: z.string().nullable(),
  state: z.enum(['uninstalled', 'installed', 'to_install', 'to_upgrade', 'to_remove']),
  category: z.string(),
  removable: z.boolean(),
  auto_install: z.boolean(),
  installed_at: Instant.nullable(),
  last_state_change: Instant.nullable(),
  applied_revision: z.string().nullable(),
  error_message: z.string().nullable(),
  error_at: Instant.nullable(),
  summary: z.string().nullable(),
  depends: z.array(z.string()),
  in_disk: z.boolean()
})

export const ModuleOperation = z.object({
  id: z.string(),
  module_name: z.string(),
  operation: z.enum(['install', 'upgrade', 'uninstall']),
  step: z.string(),
  status: z.enum(['started', 'completed', 'failed', 'skipped']),
  operation_id: z.uuid(),
  attempt: z.number(),
  detail: z.unknown(),
  created_at: Instant,
  finished_at: Instant.nullable()
})

/** As `svc modules info --json`. */
export const ModuleInfo = ModuleRow.extend({ operations: z.array(ModuleOperation) })

export const ModuleStatus = z.object({
  by_state: z.record(z.string(), z.number()),
  pending: z.array(z.string()),
  errored: z.array(z.string()),
  total: z.number()
})

export const OperationQuery = z.strictObject({ module: z.string().max(100).optional(), limit: z.coerce.number().int().min(1).max(500).default(50) })

export type ActiveModule = z.infer<typeof ActiveModule>
