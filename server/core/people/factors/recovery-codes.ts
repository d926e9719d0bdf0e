import { randomInt } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx, Db, Tx } from '@svc/kit'
import { toLatinDigits } from '@svc/kit/numerals'
import { coreRecoveryCode } from '../../db/schema.ts'

type Secrets = Pick<Ctx['secrets'], 'mac' | 'macs'>
interface In { tx: Tx, secrets: Secrets }

const HOW_MANY = 10
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const PURPOSE = 'core.recovery-code'

const half = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Accepts either case, with or without the dash. */
const plain = (code: string) => toLatinDigits(code).toLowerCase().replace(/[^a-z0-9]/g, '')

/** Ten new codes; earlier ones end. Because their hashes are keyed, a stolen dump can't be used to guess them. */
export async function issueRecoveryCodes({ tx, secrets }: In, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () => `${half()}-${half()}`)
  await endRecoveryCodes(tx, user_id)
  await tx
    .insert(coreRecoveryCode)
    .values(codes.map(code => ({ user_id, code_hash: secrets.mac(PURPOSE, `${user_id} ${plain(code)}`) })))
  return codes
}

/** A used code is deleted: of concurrent requests only one gets it. */
export async function takeRecoveryCode(
  { tx, secrets }: In,
  { user_id, code }: { user_id: string, code: string }
): Promise<boolean> {
  const isIt = inArray(coreRecoveryCode.code_hash, secrets.macs(PURPOSE, `${user_id} ${plain(code)}`))
  const taken = await tx
    .delete(coreRecoveryCode)
    .where(and(eq(coreRecoveryCode.user_id, user_id), isIt))
    .returning({ user_id: coreRecoveryCode.user_id })
  return taken.length > 0
}

export async function endRecoveryCodes(tx: Tx, user_id: string): Promise<void> {
  await tx.delete(coreRecoveryCode).where(eq(coreRecoveryCode.user_id, user_id))
}

export async function countRecoveryCodes(db: Db | Tx, user_id: string): Promise<number> {
  const [found] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(coreRecoveryCode)
    .where(eq(coreRecoveryCode.user_id, user_id))
  return found!.n
}
