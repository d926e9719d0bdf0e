import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'

/** The core's own endpoints, mounted like a module's. */
export function coreEndpoints(_services: Services): CoreEndpoint[] {
  return []
}
