import type { Client, Ctx } from '@svc/kit'
import type { LinkView } from '../../../shared/contract.ts'
import { markRead } from '../../db/sessions.ts'
import { lockWithTime, markViewed } from '../../db/transitions.ts'
import { notationOf } from '../../settings.ts'
import type { LinkSession, ReadingSession } from './find-link.ts'
import { logAccess } from '../log/log-access.ts'
import { logTampering } from '../log/log-tampering.ts'
import { patientView } from '../budget/patient-view.ts'
import { namesTeeth } from '../budget/place.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { digestAsSent } from './checked-content.ts'
import { collectSections } from './collect-sections.ts'

interface Input {
  session: ReadingSession
  client: Client
  locale: string | undefined
  /** For HEAD and prefetching, nothing is written, published or logged. */
  no_effect: boolean
}

/**
 * The first read marks the budget as viewed and publishes `budget.viewed`; each session's first read is logged. Throws
 * `content_tampered`.
 */
export async function viewBudgetByLink(ctx: Ctx, input: Input) {
  const { session: { budget: { id: budget_id } }, client } = input
  if (input.no_effect) return await view(ctx, input)
  return await logTampering(ctx, { budget_id, action: 'viewed', actor: 'patient', client }, () => view(ctx, input))
}

async function view(ctx: Ctx, { session, client, locale, no_effect }: Input): Promise<LinkView> {
  const { budget, token, items, items_text, decision, now } = session
  const clinic = await ctx.clinics.get(budget.clinic_id)
  const digest = digestAsSent(ctx, { budget, items, items_text, clinic })
  const isFirst = budget.viewed_at === null || session.session.read_at === null
  const viewed_at = isFirst && !no_effect ? await stampRead(ctx, session, client) : budget.viewed_at
  const notation = namesTeeth(items) ? await notationOf(ctx, budget) : null
  const about = { items, clinic, notation, decision, digest, now, locale }
  const shown = patientView({ budget: { ...budget, viewed_at }, ...about })
  const sections = await collectSections(ctx, { budget, token, state: shown.status, locale: shown.locale })
  return sections.length > 0 ? { ...shown, sections: [...sections] } : shown
}

/** Of any number of parallel reads, one is the first. Returns the instant of the first view. */
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
