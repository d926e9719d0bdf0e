import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import { coreMailedToken, coreUser } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { hashPassword } from './passwords.ts'
import { hashOfSecret, newSecret } from './secrets.ts'
import { endSessionsOf } from './sessions.ts'

export type Purpose = 'invitation' | 'password_reset'

const LIFETIME: Record<Purpose, string> = { invitation: '7 days', password_reset: '1 hour' }

/** Single use; known to the mailbox alone. A newer one of the same purpose ends the older. */
export async function issueMailedToken(db: Db, { purpose, user_id }: { purpose: Purpose, user_id: string }): Promise<string> {
  const token = newSecret()
  await db.transaction(async (tx) => {
    await useUp(tx, { purpose, user_id })
    await tx.insert(coreMailedToken)
      .values({ token_hash: hashOfSecret(token), purpose, user_id, expires_at: sql`now() + ${sql.raw(`interval '${LIFETIME[purpose]}'`)}` })
  })
  return token
}

/** Sets the password of the person whom the mail went to; every session ends. Throws `mailed_token_not_found`. */
export async function setPasswordByMail({ db, secrets }: Pick<Services, 'db' | 'secrets'>, { purpose, token, password }: { purpose: Purpose, token: string, password: string }): Promise<void> {
  const usable = and(
    eq(coreMailedToken.token_hash, hashOfSecret(token)),
    eq(coreMailedToken.purpose, purpose),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  // Looked up before the hashing, which is dear on purpose and must not be had for nothing.
  const [found] = await db.select({ user_id: coreMailedToken.user_id }).from(coreMailedToken).where(usable)
  if (!found) throw problem('mailed_token_not_found')
  const password_hash = await hashPassword(secrets, password)
  await db.transaction(async (tx) => {
    const used = await tx.update(coreMailedToken).set({ used_at: sql`now()` }).where(usable).returning({ user_id: coreMailedToken.user_id })
    if (used.length === 0) throw problem('mailed_token_not_found')
    await tx.update(coreUser).set({ password_hash, email_proven_at: sql`now()` }).where(eq(coreUser.id, found.user_id))
    await useUp(tx, { user_id: found.user_id })
    await endSessionsOf(tx, { user_id: found.user_id })
  })
}

async function useUp(tx: Tx, { user_id, purpose }: { user_id: string, purpose?: Purpose }): Promise<void> {
  await tx.update(coreMailedToken).set({ used_at: sql`now()` })
    .where(and(eq(coreMailedToken.user_id, user_id), isNull(coreMailedToken.used_at), purpose ? eq(coreMailedToken.purpose, purpose) : undefined))
}
