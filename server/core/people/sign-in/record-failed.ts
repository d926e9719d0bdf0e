import type { Client } from '@svc/kit'
import type { Host } from '../../host.ts'
import { entriesAbout } from '../accounts/record-account.ts'

interface Failed {
  user_id: string
  /** The problem's code, unless the password was wrong. */
  code?: string
  client: Client
}

/**
 * Records a failed sign-in to an existing account. Runs after the answer, because the time that it takes would show
 * that the account exists.
 */
export function recordFailedSignIn(
  { db, secrets, audit }: Pick<Host, 'db' | 'secrets' | 'audit'>,
  { user_id, code, client }: Failed
): void {
  const detail: Record<string, string> = code === undefined ? {} : { code }
  const entry = { action: 'sign_in_failed' as const, detail, client }
  audit.record({ action: 'sign_in_failed', actor_id: user_id }, () =>
    entriesAbout({ db, secrets }, user_id, entry, { former: true }))
}
