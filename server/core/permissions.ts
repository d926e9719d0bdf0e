import type { Registry } from './host.ts'

/** It belongs to the instance, not to a clinic, so that no role has it. */
export const MODULES_MANAGE = 'modules.manage'
/** For tokens of scope `metrics`; it only opens `/metrics`. */
export const METRICS_READ = 'metrics.read'

const none: ReadonlySet<string> = new Set()

/** Only concrete names, of running modules. */
export function grantedTo(
  registry: Registry,
  { role, instance_admin }: { role: string | null, instance_admin: boolean }
): ReadonlySet<string> {
  const granted = role ? registry.permissionsOf(role) : none
  return instance_admin ? new Set([...granted, MODULES_MANAGE]) : granted
}
