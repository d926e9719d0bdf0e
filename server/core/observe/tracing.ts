import type { Span, SpanContext } from '@opentelemetry/api'
import type { Config } from '../config.ts'
import { describeError } from '../log.ts'
import type { Host } from '../host.ts'
import type { TracedWork, Tracing } from '../types.ts'
import { currentTrace, inTrace, readTraceparent, type TraceContext } from '../trace-context.ts'

const CLOSE_MS = 2000

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP), in batches and in the background. If the receiver fails,
 * only spans are lost, and a line is logged. Attributes are templates, names of our own and numbers, because paths
 * contain tokens, and texts contain what people wrote.
 */
export async function createTracing(
  config: Pick<Config, 'otlp_endpoint' | 'service_name'>,
  { log, version, boot_id }: Pick<Host, 'log' | 'version' | 'boot_id'>
): Promise<Tracing> {
  if (!config.otlp_endpoint) return WITHOUT
  const endpoint = config.otlp_endpoint
  const [api, { NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }]
    = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources')
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.service_name,
      'service.version': version,
      'service.instance.id': boot_id
    }),
    spanProcessors: [
      new BatchSpanProcessor(withFailureLog(exporter, log), { scheduledDelayMillis: 2000, exportTimeoutMillis: 8000 })
    ]
  })
  const tracer = provider.getTracer('dental-budget-service', version)
  const toSpanContext = ({ trace_id, span_id, sampled }: TraceContext): SpanContext => ({
    traceId: trace_id,
    spanId: span_id,
    traceFlags: sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
    isRemote: true
  })

  function begin({ name, attributes, kind, traceparent }: TracedWork): Span {
    if (kind === 'call') {
      const within = currentTrace()
      const parent = within ? api.trace.setSpanContext(api.ROOT_CONTEXT, toSpanContext(within)) : api.ROOT_CONTEXT
      return tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, parent)
    }
    const before = readTraceparent(traceparent)
    if (kind === 'request') {
      const parent = before ? api.trace.setSpanContext(api.ROOT_CONTEXT, toSpanContext(before)) : api.ROOT_CONTEXT
      return tracer.startSpan(name, { kind: api.SpanKind.SERVER, attributes }, parent)
    }
    return tracer.startSpan(
      name,
      { kind: api.SpanKind.CONSUMER, attributes, links: before ? [{ context: toSpanContext(before) }] : [] },
      api.ROOT_CONTEXT
    )
  }

  return {
    async run(work, what, outcome) {
      const span = begin(work)
      const { traceId, spanId, traceFlags } = span.spanContext()
      try {
        const result = await inTrace(
          { trace_id: traceId, span_id: spanId, sampled: (traceFlags & api.TraceFlags.SAMPLED) !== 0 },
          what
        )
        const known = outcome?.(result) ?? {}
        span.setAttributes(known)
        if (Number(known['http.response.status_code'] ?? 0) >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
        return result
      } catch (error) {
        // The error's name, not its message, which may contain personal data.
        span
          .setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
          .setStatus({ code: api.SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    }
  }
}

const WITHOUT: Tracing = {
  async run({ kind, traceparent }, what) {
    const caller = traceparent === undefined || kind !== 'request' ? null : readTraceparent(traceparent)
    return await (caller ? inTrace(caller, what) : what())
  },
  async close() {}
}

type Exporter = import('@opentelemetry/sdk-trace-node').SpanExporter

const QUIET_MS = 60_000

/** Logs at most once a minute that spans are lost, and why. */
function withFailureLog(exporter: Exporter, log: Host['log']): Exporter {
  let quietUntil = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() > quietUntil) {
          quietUntil = performance.now() + QUIET_MS
          log.warn('trace.export', { spans: spans.length, error: describeError(result.error).message })
        }
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown()
  }
}
