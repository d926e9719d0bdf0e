import { problem, type Db, type Problem, type Tx } from '@svc/kit'
import { isSealed, type SealingSecrets } from '../people/seals/row-seals.ts'
import { coreSetup } from '../db/schema.ts'
import { createLimits } from '../http/rate-limit.ts'
import { isCode } from './code.ts'
import { lockClinics } from './lock-clinics.ts'

/** Counts wrong codes of all callers together. A new code does not reset the count. */
const LIMIT = { name: 'core:setup-code', points: 10, seconds: 3600 }
const KEY = 'instance'

/**
 * For a transaction that changes nothing else if a problem is returned, and commits even then, so that the count of
 * wrong codes is kept. The lock makes parallel attempts wait for each other, so that no more codes are compared than
 * the limit allows. Returns `not_found` if there is a clinic, `too_many_requests`, `setup_code_wrong`, or null.
 */
export async function refuseCode(
  { tx, secrets }: { tx: Tx, secrets: SealingSecrets },
  typed: string
): Promise<Problem | null> {
  if (await lockClinics(tx)) return problem('not_found')
  const wrong = createLimits(tx).limiter(LIMIT)
  const { allowed, reset } = await wrong.peek(KEY)
  if (!allowed) return problem('too_many_requests', { retry_after: reset, limit: LIMIT })
  const [row] = await tx
    .select({ code_hash: coreSetup.code_hash, created_at: coreSetup.created_at, seal: coreSetup.seal })
    .from(coreSetup)
  if (row && isSealed(secrets, 'setup', row) && isCode(secrets, typed, row.code_hash)) return null
  await wrong.take(KEY)
  return problem('setup_code_wrong')
}

/** For the first step of the screen. Throws what `refuseCode` returns. */
export async function checkCode({ db, secrets }: { db: Db, secrets: SealingSecrets }, typed: string): Promise<void> {
  const refused = await db.transaction(tx => refuseCode({ tx, secrets }, typed))
  if (refused) throw refused
}
