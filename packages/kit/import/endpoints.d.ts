import type { EndpointHandler } from '../index.d.ts'

/**
 * The endpoints of an import kind, for a package that has zod. Each is the default export of a file:
 * `imports/index.post.ts` takes the file, `imports/[id].get.ts` and `.patch.ts` show it and change its mapping,
 * `imports/[id]/check.post.ts` and `run.post.ts` check the file and start its import, `imports/[id]/errors.csv.get.ts`
 * sends the wrong rows. `problems`: codes that the kind's `match` throws.
 */
export function importEndpoints(
  kind: string,
  permission: string,
  problems?: string[]
): Record<'create' | 'get' | 'map' | 'check' | 'run' | 'errors', EndpointHandler>
