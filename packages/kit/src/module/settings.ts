import type { AuditActor } from '../audit-entry.ts'
import type { AnyTx, Tx } from '../database.ts'
import type { Out, Schema } from '../endpoints.ts'
import type { Actor } from '../requests.ts'

/**
 * Settings that each clinic has of the module. The host stores them, serves them at `/api/v1/clinic/settings/<module>`,
 * and draws their form on the clinic's page.
 */
export interface SettingsDeclaration {
  /** A flat object without defaults. Forms show descriptions; `.meta({ kind: 'money' })` marks an amount. */
  schema: Schema
  /** Every field, with its value in a clinic that has not changed it. A secret's is null. */
  defaults: Record<string, unknown>
  /** Fields whose text is stored sealed and never leaves the server. Their schema must allow null. */
  secrets?: string[]
  /**
   * Fields with an address, each with the secrets that the module sends there. If the origin changes, they are
   * emptied unless the same change sets them.
   */
  sent_to?: Record<string, string[]>
  /** The full name of the permission to see and change them; default `clinic.manage`. */
  permission?: string
  /** Fields that the screens of all members get, whatever their permissions. */
  on_screens?: string[]
  /** Fields that `/api/v1/clinic` has too, each after another of its members. Only for bundled modules. */
  in_clinic?: { field: string, after: string }[]
}
/** The values of a declaration, as its schema returns them. */
export type SettingsOf<D extends { schema: Schema }> = Out<D['schema']>

export interface ModuleSettings {
  /**
   * All fields, secrets in plain text; `get<SettingsOf<typeof settings>>` types them. An unknown clinic has the
   * defaults, and a text that isn't an id too. Without `tx`, calls for one clinic in the same turn share a query.
   */
  get<Values = any> (clinic_id: string, tx?: AnyTx): Promise<Values>
  /**
   * Changes fields like the clinic's staff: other modules may refuse (`setting_vetoed`), and the audit log has a row.
   * `actor` defaults to the module. It locks the clinic and the end of its audit log: make it the last statement.
   */
  change (tx: Tx, clinic_id: string, change: Record<string, unknown>, actor?: Actor | AuditActor): Promise<void>
  /** When a field, or a part of it (`reminders.days`), was last changed; null if never. */
  changedAt (clinic_id: string, field: string, tx?: AnyTx): Promise<Date | null>
}
