import { sql } from 'drizzle-orm'
import type { Db, Finding } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { INSTANCE, type Macs } from './chain.ts'
import { findBreak, type Break } from './find-break.ts'
import { listChains } from './read-chain.ts'

interface Known {
  secrets: Macs
  /** True if a secret of this instance is missing: rows that it sealed then look as if they had been changed. */
  lacks_secret?: boolean
}

/** For `svc modules doctor`: finds every log whose rows were edited, removed, added or moved by SQL. */
export async function checkAudit(db: Db, { secrets, lacks_secret = false }: Known): Promise<Finding[]> {
  const [table] = await rowsOf<{ there: boolean }>(db, sql`select to_regclass('core_audit') is not null as there`)
  if (!table!.there) return [] // the next start creates the table
  const findings: Finding[] = []
  for (const { clinic_id, name } of await listChains(db)) {
    // One snapshot, so that a row written meanwhile does not seem to lie after the end of the log.
    const found = await db.transaction(tx => findBreak(tx, secrets, clinic_id), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only'
    })
    if (found) findings.push(toFinding(clinic_id === INSTANCE ? 'instance' : name ?? clinic_id, found, lacks_secret))
  }
  return findings
}

const toFinding = (whose: string, { seq, why }: Break, lacks_secret: boolean): Finding => ({
  code: 'audit_log_broken',
  object: `audit log: ${whose}`,
  message: lacks_secret
    ? `Row ${seq} ${why}, or was sealed with the missing secret.`
    : `Row ${seq} ${why}. Someone changed the log directly in the database.`,
  fix: lacks_secret
    ? 'First add the missing secret (see secret_missing), restart, and run the doctor again.'
    : 'Compare the log with a backup of before, and find out who can write to the database.'
})
