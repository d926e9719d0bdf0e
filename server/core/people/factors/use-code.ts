import type { Tx } from '@svc/kit'
import { joinDigits } from '@svc/kit/numerals'
import { clock } from '../../clock.ts'
import type { Host } from '../../host.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { listFactors, useFactor } from './factors.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/**
 * Uses up a code of the person's authenticator app, or a recovery code. The person must be locked. Null if it is wrong
 * or was already used.
 */
export async function useCode(
  { tx, secrets }: { tx: Tx, secrets: Host['secrets'] },
  user: SealedRows['user'],
  typed: string
): Promise<'totp' | 'recovery_code' | null> {
  const code = joinDigits(typed)
  if (!/^\d{6}$/.test(code))
    return (await takeRecoveryCode({ tx, secrets }, { user_id: user.id, code })) ? 'recovery_code' : null
  const now = await clock.wall(tx)
  for (const { id, kind, secret } of await listFactors({ db: tx, secrets }, user)) {
    const counter = kind === 'totp' ? stepOf(secrets, { sealed: secret, code, now }) : null
    if (counter !== null && (await useFactor(tx, { id, counter }))) return 'totp'
  }
  return null
}
