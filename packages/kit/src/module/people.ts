import type { Json } from '../database.ts'

/** A person whose data the modules of a clinic hold, by the id of the record that describes them. */
export interface Person { clinic_id: string, id: string, /** For the operator's eyes. */ name: string }

/** A module's data about a person, readable by laypeople: JSON by heading, and files. */
export interface PersonData { records: Record<string, Json>, files?: { name: string, bytes: Uint8Array }[] }

export interface Erasure {
  /** What was emptied or removed, and the number of records: `{ what: 'budget drafts', count: 2 }`. */
  erased: { what: string, count: number }[]
  /** Documents that the law requires: one file of `ctx.files` each. No table repeats the person's name. */
  held: Held[]
  /** Unsent emails that the host removes: to these addresses, or with these ids (`MailMessage.id`). */
  letters?: { to?: string[], ids?: string[] }
  /** Records of others that may name the person and need a manual check: the kind of record, and which record it is. */
  follow_up?: { what: string, object: string }[]
}
export interface Held {
  what: string
  /** Such as `PRES-2026-0001 v1`. */
  object: string
  /** Key of `ctx.files`. */
  file: string
  reason: string
}
