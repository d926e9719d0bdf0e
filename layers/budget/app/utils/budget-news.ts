import type { BudgetDetail } from '../../shared/contract.ts'

/** What happened to a budget while someone viewed it: keys below `budget.detail.news`, most important first. */
export type News
  = | 'accepted'
    | 'rejected'
    | 'expired'
    | 'cancelled'
    | 'superseded'
    | 'withdrawn'
    | 'question'
    | 'sent'
    | 'locked'
    | 'unlocked'
    | 'viewed'
    | 'delivered'
    | 'undelivered'
    | 'no_server'
    | 'pdf_ready'
    | 'changed'

type Facts = Pick<BudgetDetail, 'withdrawn_at' | 'open_questions' | 'status' | 'viewed_at' | 'link' | 'signed_pdf' | 'updated_at'>

/** The changes that others made, as far as they matter to staff. Empty if there are none. */
export function newsBetween(before: Facts, after: Facts): News[] {
  const news: News[] = []
  if (before.status !== after.status && after.status !== 'draft') news.push(after.status)
  if (!before.withdrawn_at && after.withdrawn_at) news.push('withdrawn')
  if (after.open_questions > before.open_questions) news.push('question')
  if (!before.link.locked && after.link.locked) news.push('locked')
  if (before.link.locked && !after.link.locked) news.push('unlocked')
  if (!before.viewed_at && after.viewed_at && before.status === after.status) news.push('viewed')
  if (before.link.delivery === 'queued' && ['sent', 'delivered'].includes(after.link.delivery))
    news.push(after.link.delivered_via === 'file' ? 'no_server' : 'delivered')
  if (before.link.delivery !== 'failed' && after.link.delivery === 'failed') news.push('undelivered')
  if (before.signed_pdf.status === 'pending' && after.signed_pdf.status === 'ready') news.push('pdf_ready')
  if (before.status === 'draft' && after.status === 'draft' && before.updated_at !== after.updated_at)
    news.push('changed')
  return news
}
