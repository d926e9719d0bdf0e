import { defineEndpoint, reply } from '@svc/kit'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'

export const metricsEndpoints = (services: Services): CoreEndpoint[] => [
  {
    ...defineEndpoint({
      method: 'get', path: '/metrics', access: 'admin-token',
      summary: 'Figures for Prometheus: requests and latencies of this process, queues and locks of the whole instance.',
      async handle() {
        const { type, body } = await services.metrics.text(services)
        return reply({ headers: { 'content-type': type }, body })
      }
    }),
    addresses: ['/metrics'],
    takes_metrics_token: true
  }
]
