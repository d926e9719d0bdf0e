import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'
import { authEndpoints } from './auth.ts'
import { clinicEndpoints } from './clinic.ts'
import { metricsEndpoints } from './metrics.ts'
import { moduleEndpoints } from './modules.ts'
import { personEndpoints } from './persons.ts'
import { userEndpoints } from './users.ts'
import { webhookEndpoints } from './webhooks.ts'

/** The core's own endpoints, mounted like a module's. Those of the documentation come with the mount: they describe all. */
export const coreEndpoints = (services: Services): CoreEndpoint[] =>
  [authEndpoints, userEndpoints, clinicEndpoints, personEndpoints, webhookEndpoints, moduleEndpoints, metricsEndpoints].flatMap(endpointsOf => endpointsOf(services))
