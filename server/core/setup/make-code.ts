import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { sealOf, type SealingSecrets } from '../people/seals/row-seals.ts'
import { clock } from '../clock.ts'
import { coreSetup } from '../db/schema.ts'
import { hashOfCode, mintCode, showCode } from './code.ts'
import { lockClinics } from './lock-clinics.ts'

interface Parts { db: Db, secrets: SealingSecrets }

/** Replaces the current code; null if there is a clinic. */
export async function replaceSetupCode({ db, secrets }: Parts): Promise<string | null> {
  return await db.transaction(async (tx) => {
    if (await lockClinics(tx)) return null
    await tx.delete(coreSetup)
    return await insertCode(tx, secrets)
  })
}

/** Creates the first code; null if there is one, which can't be shown again, or if there is a clinic. */
export async function makeFirstCode({ db, secrets }: Parts): Promise<string | null> {
  return await db.transaction(async (tx) => {
    if (await lockClinics(tx)) return null
    const [known] = await tx.select({ id: coreSetup.id }).from(coreSetup).where(eq(coreSetup.id, 1))
    return known ? null : await insertCode(tx, secrets)
  })
}

async function insertCode(tx: Tx, secrets: SealingSecrets): Promise<string> {
  const code = mintCode()
  const row = { code_hash: hashOfCode(secrets, code), created_at: await clock.now(tx) }
  await tx.insert(coreSetup).values({ ...row, id: sql`1`, seal: sealOf(secrets, 'setup', row) })
  return showCode(code)
}
