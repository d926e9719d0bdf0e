import * as z from 'zod'
import { Instant } from './common.ts'

export const ActiveModule = z.object({
  name: z.string(),
  version: z.string(),
  category: z.string(),
  summary: z.string().nullable(),
  navigation: z.array(
    z.object({
      label: z.string(),
      to: z.string(),
      icon: z.string().nullable(),
      permission: z.string().nullable(),
      order: z.number()
    })
  ),
  permissions: z.array(z.string())
})

/** The same members as `svc modules list --json`. */
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

/** The same members as `svc modules info --json`. */
export const ModuleInfo = ModuleRow.extend({ operations: z.array(ModuleOperation) })

export const ModuleStatus = z.object({
  by_state: z.record(z.string(), z.number()),
  pending: z.array(z.string()),
  errored: z.array(z.string()),
  total: z.number()
})

export const OperationQuery = z.strictObject({
  module: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50)
})

const DoctorFinding = z.object({ code: z.string(), object: z.string(), message: z.string(), fix: z.string() })

/** The same members as `svc modules doctor --json`. */
export const Diagnosis = z.object({
  ok: z.boolean(),
  orphans: z.array(z.string()),
  missing_dependencies: z.array(z.object({ module: z.string(), missing: z.string() })),
  manifest_errors: z.array(z.object({ module: z.string(), error: z.string() })),
  errored_modules: z.array(z.object({ module: z.string(), error: z.string() })),
  integrity: z.array(DoctorFinding),
  advice: z.array(DoctorFinding)
})

export const ScheduleRequest = z.strictObject({ dry_run: z.boolean().default(false) })
export const UninstallRequest = ScheduleRequest.extend({
  force: z.boolean().default(false),
  keep_data: z.boolean().default(false)
})

/** The same members as `svc modules install --json` and its siblings. Only a `dry_run` has `plan` and `guardrails`. */
export const Scheduled = z.object({
  scheduled: z.array(z.string()),
  requires_restart: z.boolean(),
  message: z.string().optional(),
  plan: z.array(z.object({
    name: z.string(),
    operation: z.enum(['install', 'upgrade', 'uninstall']),
    steps: z.array(z.string()),
    tables: z.array(z.object({ name: z.string(), rows: z.number().nullable() }))
  })).optional(),
  guardrails: z.array(z.string()).optional()
})

/** The same members as `svc modules backups --json`. */
export const Backup = z.object({
  file: z.string(),
  module: z.string(),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  created_at: Instant,
  sha256: z.string(),
  bytes: z.number(),
  rows: z.record(z.string(), z.number())
})

export const Restarting = z.object({ status: z.literal('restarting'), boot_id: z.uuid() })

export type ActiveModule = z.infer<typeof ActiveModule>
