import type { Ctx } from './context.ts'
import type { Json } from './database.ts'
import type { EventPayloads } from './modules/index.ts'

/** Payloads of the service's own events. */
export interface CoreEvents {
  /** A person's data was erased. Erase it in your system too. */
  'person.erased': {
    clinic_id: string
    patient_id: string
    /** The member who did it; null for the operator's command. */
    erased_by: string | null
  }
}

/** The payload of an event as its subscribers get it. `event_id` stays the same when it is delivered again. */
export type EventPayload<Name extends keyof EventPayloads> = EventPayloads[Name] & {
  event_id: string
  occurred_at: string
}

/** What is published under this name: its type in `EventPayloads`; for other names, any members besides `clinic_id`. */
export type Published<Name extends string> = Name extends keyof EventPayloads
  ? EventPayloads[Name]
  : Record<string, unknown> & { clinic_id: string }

export type Subscriber<P = any> = (event: EventEnvelope<P>, ctx: Ctx) => Promise<void>

/** Subscribers by event, with its payload if `EventPayloads` knows it. */
export type Subscribers = { [Name in keyof EventPayloads]?: Subscriber<EventPayload<Name>> }
  & Record<string, Subscriber>

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
