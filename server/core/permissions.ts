import type { Registry } from './host.ts'

/** The instance's, not a clinic's: no role has it. */
export const MODULES_MANAGE = 'modules.manage'
/** Of tokens of scope `metrics`; it opens `/metrics` and nothing else. */
export const METRICS_READ = 'metrics.read'

const none: ReadonlySet<string> = new Set()

/** Concrete names only, of modules that run. */
export function grantedTo(
  registry: Registry,
  { role, instance_admin }: { role: string | null, instance_admin: boolean }
): ReadonlySet<string> {
  const granted = role ? registry.permissionsOf(role) : none
  return instance_admin ? new Set([...granted, MODULES_MANAGE]) : granted
}
