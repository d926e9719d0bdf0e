import { sql } from 'drizzle-orm'
import { headSeal, rowHash } from '../../server/core/audit/chain.ts'
import { chainBatches, findHead } from '../../server/core/audit/read-chain.ts'
import { recordAudit } from '../../server/core/audit/record-audit.ts'
import type { Instance } from './instance.ts'

/** A clinic's log with this number of rows. */
export async function anAuditLog(instance: Instance, rows = 5): Promise<string> {
  const { id } = await instance.anotherClinic()
  for (let n = 1; n <= rows; n += 1) await addAuditRow(instance, id, { n })
  return id
}

export async function addAuditRow(
  { runtime: { host } }: Instance,
  clinic_id: string,
  detail: Record<string, number> = {}
): Promise<void> {
  const actor = { type: 'system' as const, id: null, name: 'test' }
  await host.db.transaction(tx => recordAudit(host, tx, { clinic_id, actor, action: 'settings_changed', detail }))
}

/** Makes the rows up to a position this many months older. The chain is computed again, so that it is valid. */
export async function ageAudit(
  { runtime: { host: { db, secrets } } }: Instance,
  clinic_id: string,
  { months, upTo }: { months: number, upTo: number }
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update core_audit set at = at - make_interval(months => ${months}::int) where clinic_id = ${clinic_id}::uuid and seq <= ${upTo}::int`)
    let before: Buffer | null = null
    for await (const rows of chainBatches(tx, clinic_id)) {
      for (const row of rows) {
        const prev_hash: Buffer | null = before ?? (row.prev_hash as Buffer | null)
        before = rowHash(secrets, { ...row, prev_hash })
        await tx.execute(sql`
          update core_audit set prev_hash = decode(${prev_hash?.toString('hex') ?? null}::text, 'hex'), hash = decode(${before.toString('hex')}, 'hex')
          where clinic_id = ${clinic_id}::uuid and seq = ${row.seq}::int`)
      }
    }
    const { count } = (await findHead(tx, clinic_id))!
    await tx.execute(sql`
      update core_audit_head set hash = decode(${before!.toString('hex')}, 'hex'), seal = decode(${headSeal(secrets, clinic_id, count, before).toString('hex')}, 'hex')
      where clinic_id = ${clinic_id}::uuid`)
  })
}

/** Removes the clinic, after a test has changed its log. */
export async function forgetClinic({ sql: client }: Instance, id: string): Promise<void> {
  await client`delete from core_audit where clinic_id = ${id}::uuid`
  await client`delete from core_audit_checkpoint where clinic_id = ${id}::uuid`
  await client`delete from core_audit_head where clinic_id = ${id}::uuid`
  await client`delete from core_clinic where id = ${id}::uuid`
}
