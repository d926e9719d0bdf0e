import type * as z from 'zod'
import type { AccessLogRow, BudgetDetail, LogAction } from '../../shared/contract.ts'

export type LogRow = z.infer<typeof AccessLogRow>
type Stamp = 'created' | 'expired' | Extract<LogAction, 'cancelled' | 'superseded'>

/**
 * One entry of a budget's history: a row of the log, or a timestamp of the budget. Its text is below `budget.event`.
 */
export interface Fact {
  id: string
  at: string
  action: LogAction | Stamp
  success: boolean
  actor: LogRow['actor']
  person: string | null
  user_agent: string | null
  detail: LogRow['detail']
}

/** Newest first. Until older rows are loaded, timestamps before the oldest loaded row are left out. */
export function timelineOf(budget: BudgetDetail, rows: readonly LogRow[], isComplete: boolean): Fact[] {
  const facts = rows.map<Fact>(({ id, at, action, success, actor, user_name, user_agent, detail }) => ({
    id,
    at,
    action,
    success,
    actor,
    person: user_name,
    user_agent,
    detail
  }))
  const oldest = facts.reduce((found, { at }) => at < found ? at : found, '9')
  const logged = new Set<string>(facts.map(({ action }) => action)) // earlier releases didn't log the end
  const stamps = stampsOf(budget).filter(({ at, action }) => (isComplete || at >= oldest) && !logged.has(action))
  return [...facts, ...stamps].sort((one, other) => other.at.localeCompare(one.at))
}

function stampsOf({
  created_at,
  created_by,
  status,
  closed_at,
  superseded_by_user,
  closed_reason,
  expires_at
}: BudgetDetail): Fact[] {
  const stamp = (action: Stamp, at: string, fields: Partial<Fact> = {}): Fact => ({
    id: action,
    at,
    action,
    success: true,
    actor: 'staff',
    person: null,
    user_agent: null,
    detail: {},
    ...fields
  })
  const closed = status === 'cancelled' || status === 'superseded' ? closed_at : null
  return [
    stamp('created', created_at, { person: created_by?.name ?? null }),
    ...(closed
      ? [
          stamp(status as Stamp, closed, {
            person: superseded_by_user?.name ?? null,
            detail: status === 'cancelled' && closed_reason ? { reason: closed_reason } : {}
          })
        ]
      : []),
    ...(status === 'expired' && expires_at ? [stamp('expired', expires_at, { actor: 'system' })] : [])
  ]
}

/** The key below `budget.event`: refusals, failures and channels have their own texts. */
export function wordOf({ action, success, detail }: Fact): string {
  if (!success) return `${action}_${detail.module ? 'refused' : 'failed'}`
  if (action === 'verify' && detail.handed_by) return 'handed_over'
  if (action === 'verify' && detail.channel) return 'verify_sent'
  if (action === 'link_sent' && detail.as === 'upgrade') return 'content_fixed'
  if (action === 'link_sent') return SENT[wayOf(detail)]
  if (action === 'link_resent') return detail.new_link ? 'link_new' : RESENT[wayOf(detail)]
  if (action === 'code_set' && detail.channel) return 'code_unknown'
  if (action === 'code_set') return detail.generated ? 'code_generated' : 'code_set'
  if (action === 'treatments_done' && !detail.done_on) return 'treatments_undone'
  if (action === 'signed_pdf_download' && detail.as === 'evidence') return 'evidence_download'
  return action
}

const SENT = { email: 'link_sent', manual: 'link_given', channel: 'link_sent_by' } as const
const RESENT = { email: 'link_resent', manual: 'link_given_again', channel: 'link_resent_by' } as const

/** The channel whose name for people the text has; null if it has none. */
export const channelIn = ({ action, detail: { channel } }: Fact): string | null =>
  typeof channel === 'string' && (!action.startsWith('link_') || wayOf({ channel }) === 'channel') ? channel : null

function wayOf({ channel = 'manual' }: Fact['detail']): keyof typeof SENT {
  return channel === 'email' || channel === 'manual' ? channel : 'channel'
}
