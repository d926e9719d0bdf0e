import { sql } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { Values } from './values.ts'

/** The row of a clinic's settings of one module. */
export interface Stored {
  /** Fields that were changed, without secrets. */
  values: Values
  /** Sealed. */
  secrets: Record<string, string>
  /** ISO 8601, by names of `namesOfChanges`. */
  changed_at: Record<string, string>
  version: number
}
interface Place { clinic_id: string, module: string }

/** The settings of a clinic that has changed none, or that doesn't exist. */
export const NOTHING: Stored = { values: {}, secrets: {}, changed_at: {}, version: 1 }
const COLUMNS = sql.raw('"values", secrets, changed_at, version')

export async function readStored(tx: AnyTx, { clinic_id, module }: Place): Promise<Stored> {
  const [row] = await rowsOf<Stored>(tx, sql`
    select ${COLUMNS} from core_module_setting where clinic_id = ${clinic_id}::uuid and module = ${module}`)
  return row ?? NOTHING
}

/** By module, of those that a clinic has changed. */
export async function readAllStored(tx: AnyTx, clinic_id: string): Promise<(module: string) => Stored> {
  const rows = await rowsOf<Stored & { module: string }>(tx, sql`
    select module, ${COLUMNS} from core_module_setting where clinic_id = ${clinic_id}::uuid`)
  return module => rows.find(row => row.module === module) ?? NOTHING
}

/** Of all clinics that have changed settings of the module. */
export const readStoredOf = async (tx: AnyTx, module: string): Promise<(Stored & { clinic_id: string })[]> =>
  await rowsOf(tx, sql`select clinic_id, ${COLUMNS} from core_module_setting where module = ${module}`)

/** Needs the lock on the clinic. */
export async function writeStored(tx: AnyTx, { clinic_id, module }: Place, stored: Omit<Stored, 'version'>): Promise<void> {
  const [values, secrets, changed_at] = [stored.values, stored.secrets, stored.changed_at]
    .map(part => sql`${JSON.stringify(part)}::text::jsonb`)
  await rowsOf(tx, sql`
    insert into core_module_setting as setting (clinic_id, module, "values", secrets, changed_at, version)
    values (${clinic_id}::uuid, ${module}, ${values}, ${secrets}, ${changed_at}, ${NOTHING.version + 1})
    on conflict (clinic_id, module) do update
    set "values" = excluded."values", secrets = excluded.secrets, changed_at = excluded.changed_at,
        version = setting.version + 1`)
}

/** Changes of one clinic's settings are made one after the other. False if there is no such clinic. */
export async function lockClinicRow(tx: AnyTx, clinic_id: string): Promise<boolean> {
  const rows = await rowsOf(tx, sql`select 1 from core_clinic where id = ${clinic_id}::uuid for update`)
  return rows.length > 0
}

/** Members of the clinic have changed, so its tag does too. */
export async function renewClinicVersion(tx: AnyTx, clinic_id: string): Promise<void> {
  await rowsOf(tx, sql`update core_clinic set version = version + 1 where id = ${clinic_id}::uuid`)
}
