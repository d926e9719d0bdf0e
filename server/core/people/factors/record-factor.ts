import type { Actor, AuditActor, Client, Tx } from '@svc/kit'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Host } from '../../host.ts'
import type { CoreActor } from '../../http/types.ts'

/** A person who changes their own account. */
export interface AccountOwner { actor: CoreActor, client: Client }

interface Change {
  /** The clinic whose log gets the row. */ clinic_id: string | null
  actor: Actor | AuditActor
  client: Client | null
  action: 'factor_added' | 'factor_removed'
  user_id: string
  kind: 'totp' | 'passkey' | 'recovery_codes' | 'all'
}

/** Call it last in a transaction. */
export const recordFactor = (
  { tx, secrets }: { tx: Tx, secrets: Host['secrets'] },
  { user_id, kind, ...change }: Change
): Promise<void> =>
  recordAudit({ secrets }, tx, { ...change, target: { kind: 'user', id: user_id }, detail: { factor: kind } })

export const recordOwnFactor = (
  parts: { tx: Tx, secrets: Host['secrets'] },
  { actor, client }: AccountOwner,
  change: Pick<Change, 'action' | 'kind'>
): Promise<void> =>
  recordFactor(parts, { ...change, actor, client, clinic_id: actor.clinic_id, user_id: actor.user_id! })
