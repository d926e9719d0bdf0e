import { reply } from '@svc/kit'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Metrics for Prometheus: requests and latencies of this process, queues and locks of the whole instance.',
  async handle(_, host) {
    const { type, body } = await host.metrics.text(host)
    return reply({ headers: { 'content-type': type }, body })
  },
  takes_metrics_token: true
})
