import { problem, type Ctx } from '@svc/kit'
import type { BudgetRow } from '../db/budgets.ts'
import type { ContentItem } from '../db/items.ts'
import { endOfDay } from '../domain/validity.ts'
import { digestContent } from './content.ts'
import type { Macs } from './log-chain.ts'

const SENT = 'budget.sent'

/** What a sending fixes: the content by its digest, and what decides on a budget without being part of its content. */
export type Sent = Pick<BudgetRow, 'id' | 'patient_id' | 'created_by' | 'time_zone'>

const textOf = ({ id, patient_id, created_by, time_zone }: Sent, digest: string) =>
  [id, digest, patient_id, created_by ?? '-', time_zone].join(' ')

export const sentSeal = (macs: Macs, sent: Sent, digest: string): Buffer => macs.mac(SENT, textOf(sent, digest))

export const isSentSealed = (macs: Macs, sent: Sent, digest: string, seal: Uint8Array | null): boolean => seal !== null && macs.verifyMac(SENT, textOf(sent, digest), seal)

/** A version that has been sent; a state that only comes after it is as good as the stamp. */
export const wasSent = ({ sent_at, sent_seal, status }: Pick<BudgetRow, 'sent_at' | 'sent_seal' | 'status'>): boolean =>
  sent_at !== null || sent_seal !== null || ['sent', 'accepted', 'rejected', 'expired'].includes(status)

/** Drafts may change, and what an erasure left has a seal of its own. */
export function isAsSent(macs: Macs, budget: BudgetRow, digest: string): boolean {
  const isOpen = !wasSent(budget) || (budget.erased_at !== null && budget.status !== 'sent')
  return isOpen || (isSentSealed(macs, budget, digest, budget.sent_seal) && endsInTime(budget))
}

/** The day is part of the content; what is made of it may end a budget sooner, never later. */
function endsInTime({ valid_until, expires_at, time_zone }: BudgetRow): boolean {
  return valid_until === null ? expires_at === null : expires_at !== null && expires_at <= endOfDay(valid_until, time_zone)
}

interface Content { budget: BudgetRow, items: ContentItem[], clinic: { name: string } }

/** The content and its digest, for reading and deciding: computed once a request. Throws `content_tampered`. */
export function contentAsSent(ctx: Pick<Ctx, 'secrets' | 'log'>, { budget, items, clinic }: Content): { text: string, digest: string } {
  const content = digestContent(budget, items, clinic.name)
  if (isAsSent(ctx.secrets, budget, content.digest)) return content
  ctx.log.error('content.tampered', { budget_id: budget.id })
  throw problem('content_tampered')
}
