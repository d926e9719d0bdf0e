import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import { coreSignInStep } from '../../db/schema.ts'
import { isSealed, lookUpOf, lookUps, sealOf, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'
import { newSecret } from '../new-secret.ts'

interface Parts { db: Db | Tx, secrets: SealingSecrets }
type Step = SealedRows['sign_in_step']
type StepPurpose = Step['purpose']

/** After this many wrong codes, a ticket ends. */
const CODES_OF_A_TICKET = 5

const LIFETIME_MS = 10 * 60_000

interface NewStep {
  purpose: StepPurpose
  user_id?: string | null
  /** The value that the caller must present in addition to the step's own secret. */
  bound_to?: string | null
}

/** The secret of a new step, which only the caller knows: a ticket, a challenge, or a state. */
export async function issueStep(
  { db, secrets }: Parts,
  { purpose, user_id = null, bound_to = null }: NewStep
): Promise<string> {
  const secret = newSecret()
  const row = {
    token_hash: lookUpOf(secrets, secret),
    purpose,
    user_id,
    bound_to: bound_to === null ? null : lookUpOf(secrets, bound_to),
    expires_at: new Date((await clock.wall(db)).getTime() + LIFETIME_MS)
  }
  await db.insert(coreSignInStep).values({ ...row, seal: sealOf(secrets, 'sign_in_step', row) })
  return secret
}

interface StepQuery {
  purpose: StepPurpose
  secret: string
  /** What the caller brings besides. */ bound_to?: string | null
}

const isOpen = (secrets: SealingSecrets, { purpose, secret }: StepQuery) =>
  and(
    inArray(coreSignInStep.token_hash, lookUps(secrets, secret)),
    eq(coreSignInStep.purpose, purpose),
    gt(coreSignInStep.expires_at, sql`clock_timestamp()`)
  )
const hasTries = lt(coreSignInStep.tries, CODES_OF_A_TICKET)

const belongsTo = (secrets: SealingSecrets, row: Step & { seal: Buffer | null }, { bound_to }: StepQuery): boolean =>
  isSealed(secrets, 'sign_in_step', row)
  && (row.bound_to === null || lookUps(secrets, bound_to ?? '').some(value => value.equals(row.bound_to!)))

/** Null for a step that is unknown, expired, used, another caller's, or created outside the service. */
export async function findStep({ db, secrets }: Parts, wanted: StepQuery): Promise<Step | null> {
  const [row] = await db.select().from(coreSignInStep).where(and(isOpen(secrets, wanted), hasTries))
  return row && belongsTo(secrets, row, wanted) ? row : null
}

/** Counted before anything is compared: of any number of concurrent calls, no more succeed than a ticket has codes. */
export async function countCodeAttempt({ db, secrets }: Parts, wanted: StepQuery): Promise<boolean> {
  const counted = await db
    .update(coreSignInStep)
    .set({ tries: sql`${coreSignInStep.tries} + 1` })
    .where(and(isOpen(secrets, wanted), hasTries))
    .returning({ tries: coreSignInStep.tries })
  return counted.length > 0
}

/**
 * The same, and the step ends: of any number of concurrent calls, one succeeds. The last attempt of a ticket is already
 * counted.
 */
export async function takeStep({ db, secrets }: Parts, wanted: StepQuery): Promise<Step | null> {
  const [row] = await db.delete(coreSignInStep).where(isOpen(secrets, wanted)).returning()
  return row && belongsTo(secrets, row, wanted) ? row : null
}

/** Ends unfinished sign-ins together with the person's sessions. */
export async function endStepsOf(db: Db | Tx, user_id: string): Promise<void> {
  await db.delete(coreSignInStep).where(eq(coreSignInStep.user_id, user_id))
}
