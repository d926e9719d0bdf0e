import { problem, type Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import type { Host } from '../../host.ts'
import { isOverdueAnywhere } from '../factors/is-overdue.ts'
import { listFactors } from '../factors/factors.ts'
import type { CoreActor } from '../../http/types.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { lockOwnSession } from './own-session.ts'
import { findNeeds } from './proofs.ts'

interface In { tx: Tx, secrets: Host['secrets'], config: Host['config'] }
type User = SealedRows['user']

/** False if people sign in only through their provider, where a remaining password of the account is of no use. */
export const hasUsablePassword = ({ oidc }: Pick<Host['config'], 'oidc'>, user: Pick<User, 'password_hash'>): boolean =>
  user.password_hash !== null && !oidc?.only

/**
 * The person must be locked, and must have proven their identity lately: a session alone, on an unattended or stolen
 * computer, must not change what protects the account. Throws `confirmation_required`, which names what is needed, or
 * `unauthorized`.
 */
export async function assertConfirmed({ tx, secrets, config }: In, user: User, actor: CoreActor): Promise<void> {
  const session = await lockOwnSession({ tx, secrets }, actor)
  const needs = findNeeds({
    has_password: hasUsablePassword(config, user),
    has_factor: user.factors !== null,
    is_overdue: user.factors === null && (await isOverdueAnywhere({ tx, secrets }, user.id)),
    session,
    now: await clock.now(tx)
  })
  if (needs.length > 0) throw await confirmationRequired({ tx, secrets }, user, needs)
}

/** `factors`: the account's kinds of factors, of which any is accepted. */
export async function confirmationRequired(
  { tx, secrets }: Pick<In, 'tx' | 'secrets'>,
  user: User,
  needs: ReturnType<typeof findNeeds>
) {
  const kinds = (await listFactors({ db: tx, secrets }, user)).map(({ kind }) => kind)
  return problem('confirmation_required', { needs, factors: [...new Set(kinds)] })
}
