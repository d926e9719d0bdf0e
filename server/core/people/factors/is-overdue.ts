import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { coreClinic, coreMembership } from '../../db/schema.ts'
import { membershipFacts } from '../accounts/write-user.ts'
import { isSealed, type SealingSecrets } from '../seals/row-seals.ts'
import { findDue } from './demand.ts'

/**
 * True if the week has passed in any of the person's clinics. The session's clinic does not matter, because the person
 * could otherwise switch to another one. For an account without a factor.
 */
export async function isOverdueAnywhere(
  { tx, secrets }: { tx: Tx, secrets: SealingSecrets },
  user_id: string
): Promise<boolean> {
  const rows = await tx
    .select({
      membership: membershipFacts,
      demanded: coreClinic.second_factor,
      since: coreClinic.second_factor_since,
      now_ms: sql<number>`extract(epoch from now())::float8 * 1000`
    })
    .from(coreMembership)
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
    .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.active, true)))
  return rows
    .filter(({ membership }) => isSealed(secrets, 'membership', membership))
    .some(({ membership, ...demand }) => findDue({ ...demand, ...membership, way: null, factors: null })?.overdue)
}
