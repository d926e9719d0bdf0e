import type { Client } from '@svc/kit'
import type { Host } from '../host.ts'
import { entriesAbout } from './record-account.ts'

interface Failed {
  user_id: string
  /** The problem's code, where it is not a wrong password. */
  code?: string
  client: Client
}

/** Of a known account. After the answer: the time that it takes would show that the account is known. */
export function recordFailedSignIn(
  { db, secrets, audit }: Pick<Host, 'db' | 'secrets' | 'audit'>,
  { user_id, code, client }: Failed
): void {
  const detail: Record<string, string> = code === undefined ? {} : { code }
  const entry = { action: 'sign_in_failed' as const, detail, client }
  audit.record({ action: 'sign_in_failed', actor_id: user_id }, () =>
    entriesAbout({ db, secrets }, user_id, entry, { former: true }))
}
