import { hash } from 'node:crypto'
import type { Client, Ctx } from '@svc/kit'
import type { ShownBudget } from '../../db/budgets.ts'
import type { SentLines } from '../../db/links.ts'
import { markRead } from '../../db/sessions.ts'
import { lockWithTime, markViewed } from '../../db/transitions.ts'
import type { LinkSession, ReadingSession } from './find-link.ts'
import { logAccess } from '../proof/log-access.ts'
import { logTampering } from '../proof/log-tampering.ts'
import { patientView } from './patient-view.ts'
import { publishFact } from '../decision/publish-fact.ts'
import { contentAsSent } from '../proof/sent-seal.ts'

interface Input {
  session: ReadingSession
  client: Client
  locale: string | undefined
  /** For HEAD and prefetching: nothing is stamped, published or logged. */
  no_effect: boolean
}

/**
 * The first read stamps the budget and publishes `budget.viewed`; each session's first read is logged. Throws
 * `content_tampered`.
 */
export async function viewBudgetByLink(ctx: Ctx, input: Input) {
  const { session: { budget: { id: budget_id } }, client } = input
  if (input.no_effect) return await view(ctx, input)
  return await logTampering(ctx, { budget_id, action: 'viewed', actor: 'patient', client }, () => view(ctx, input))
}

async function view(ctx: Ctx, { session, client, locale, no_effect }: Input) {
  const { budget, items, items_text, decision, now } = session
  const clinic = await ctx.clinics.get(budget.clinic_id)
  const digest = digestAsSent(ctx, { budget, items, items_text, clinic })
  const isFirst = budget.viewed_at === null || session.session.read_at === null
  const viewed_at = isFirst && !no_effect ? await stampRead(ctx, session, client) : budget.viewed_at
  return patientView({ budget: { ...budget, viewed_at }, items, clinic, decision, digest, now, locale })
}

/** However many reads race, one of them is the first. Returns the instant of the first view. */
async function stampRead(ctx: Ctx, { budget, session }: LinkSession, client: Client): Promise<Date> {
  return await ctx.localTransaction(async (tx) => {
    const locked = await lockWithTime(tx, budget.id)
    if (!locked) throw new Error(`budget ${budget.id} vanished while it was read`)
    const { now } = locked
    if (await markViewed(tx, budget.id, now)) {
      await publishFact(ctx, tx, { name: 'budget.viewed', budget, fields: { viewed_at: now.toISOString() } })
      await logAccess(ctx, tx, { budget_id: budget.id, action: 'viewed', actor: 'patient', client })
    }
    if (await markRead(tx, session.session_hash))
      await logAccess(ctx, tx, { budget_id: budget.id, action: 'read', actor: 'patient', client })
    return locked.budget.viewed_at ?? now
  })
}

/** `rows`: SHA-256 of all that the check looks at. */
interface Checked { rows: string, digest: string }
interface Read extends SentLines { budget: ShownBudget, clinic: { name: string } }

const MAX_KEPT = 10_000

/** Budget → what passed last. Of each instance in this process, which the secrets stand for. */
const checked = new WeakMap<Ctx['secrets'], Map<string, Checked>>()

/**
 * The digest of `contentAsSent`, for the many views of rows that did not change: equal rows give an equal answer. They
 * are compared by their values and not by PostgreSQL's `xmin`, because a table's owner can change what its rows say
 * without a new `xmin` (`alter table … rename column`). Throws `content_tampered`.
 */
function digestAsSent(ctx: Pick<Ctx, 'secrets' | 'log'>, { items_text, ...content }: Read): string {
  const { budget, clinic } = content
  const kept = checked.get(ctx.secrets) ?? new Map<string, Checked>()
  checked.set(ctx.secrets, kept)
  const rows = digestRows(budget, items_text, clinic.name)
  const last = kept.get(budget.id)
  if (last?.rows === rows) return last.digest
  kept.delete(budget.id)
  const { digest } = contentAsSent(ctx, content)
  kept.set(budget.id, { rows, digest })
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  return digest
}

/** PostgreSQL's texts hold no NUL, so that it separates values. */
const digestRows = (budget: ShownBudget, items_text: string, clinicName: string): string =>
  hash('sha256', [...Object.values(budget).map(textOf), clinicName, items_text].join('\0'))

function textOf(value: unknown): string {
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return JSON.stringify(value)
}
