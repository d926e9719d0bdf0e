import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies a trace across all services (W3C Trace Context). */
export interface TraceContext { trace_id: string, span_id: string, sampled: boolean }

const storage = new AsyncLocalStorage<TraceContext>()

export const currentTrace = (): TraceContext | undefined => storage.getStore()

export const inTrace = <T>(context: TraceContext, run: () => T): T => storage.run(context, run)

/**
 * Null for an invalid header: callers can send anything, and an invalid header counts as missing (W3C Trace Context
 * 3.2.2).
 */
export function readTraceparent(header: string | undefined): TraceContext | null {
  const [, trace_id, span_id, flags]
    = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header ?? '') ?? []
  if (!trace_id || !span_id || /^0+$/.test(trace_id) || /^0+$/.test(span_id)) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export const toTraceparent = ({ trace_id, span_id, sampled }: TraceContext): string =>
  `00-${trace_id}-${span_id}-0${sampled ? 1 : 0}`
