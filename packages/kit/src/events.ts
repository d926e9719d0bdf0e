import type { Json } from './database.ts'

export interface EventEnvelope<P = Record<string, any>> {
  id: string
  name: string
  /** Increases with each event; there can be gaps. */
  seq: string
  occurred_at: Date
  clinic_id: string | null
  payload: P
}

/** Members that a payload lacks are null. */
export interface EventValues { clinic_id: string | null, values: Record<string, Json> }
