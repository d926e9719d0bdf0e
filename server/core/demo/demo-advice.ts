import type { Sql } from 'postgres'
import type { Finding } from '@svc/kit'
import { verifyPassword } from '../people/passwords/passwords.ts'
import { DEMO, DEMO_USERS } from './demo.ts'
import type { Host } from '../host.ts'

/** Today's password, and those of earlier releases. */
const PASSWORDS = [...new Set([DEMO.password, 'aurora-demo'])]

/** Demo accounts that can sign in with the password from the README. */
export async function checkDemoPasswords(
  sql: Sql,
  secrets: Pick<Host['secrets'], 'hash' | 'verify'>
): Promise<Finding[]> {
  const accounts = await sql<{ email: string, password_hash: string }[]>`
    select email, password_hash from core_user where email in ${sql(DEMO_USERS.map(({ email }) => email))} and password_hash is not null and deactivated_at is null
      and (instance_admin or exists (select from core_membership m where m.user_id = core_user.id and m.active))
    order by email`
  const open: string[] = []
  for (const { email, password_hash } of accounts) {
    if (await hasPassword(secrets, password_hash)) open.push(email)
  }
  if (open.length === 0) return []
  return [
    {
      code: 'demo_password',
      object: open.join(', '),
      message: 'The password of these demo accounts is public: anyone who reaches this instance can sign in.',
      fix: 'Change the passwords or deactivate the accounts: svc user deactivate <email>',
      advice: true
    }
  ]
}

async function hasPassword(secrets: Parameters<typeof checkDemoPasswords>[1], hash: string): Promise<boolean> {
  for (const password of PASSWORDS) if (await verifyPassword(secrets, password, hash)) return true
  return false
}
