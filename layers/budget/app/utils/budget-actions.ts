import type { BudgetDetail } from '../../shared/contract.ts'

export const BUDGET_ACTIONS = [
  'edit',
  'send',
  'resend',
  'new_link',
  'set_code',
  'unlock',
  'revise',
  'duplicate',
  'save_template',
  'hand_over',
  'accept',
  'reject',
  'cancel',
  'delete',
  'withdraw',
  'preview',
  'pdf',
  'signed_pdf'
] as const
export type BudgetAction = typeof BUDGET_ACTIONS[number]
type Status = BudgetDetail['status']

/**
 * Why an action is forbidden: a key below `budget.detail.reason`. The key of a status is its name; its text says what
 * to do instead.
 */
export type ReasonKey
  = | Status
    | 'not_sent'
    | 'only_drafts'
    | 'no_code'
    | 'no_link'
    | 'not_locked'
    | 'other_draft'
    | 'other_accepted'
    | 'not_signed'
    | 'pdf_pending'
    | 'erased'
    | 'not_accepted'
    | 'withdrawn'

/** The facts that decide whether an action is allowed. */
export type ActionFacts = Pick<BudgetDetail, 'id' | 'status' | 'link' | 'signed_pdf' | 'versions' | 'erased_at' | 'withdrawn_at'>

const DECIDED = {
  accepted: 'accepted',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
  superseded: 'superseded'
} as const
const SENT_OR_LATER = { sent: 'sent', ...DECIDED } as const
const NOT_SENT = { draft: 'not_sent' } as const

/**
 * By action and status: why it is forbidden. Anything else is allowed. The server has the same table, and a test
 * compares them.
 */
const FORBIDDEN: Record<BudgetAction, Partial<Record<Status, ReasonKey>>> = {
  edit: SENT_OR_LATER,
  send: SENT_OR_LATER,
  delete: {
    sent: 'only_drafts',
    accepted: 'only_drafts',
    rejected: 'only_drafts',
    expired: 'only_drafts',
    cancelled: 'only_drafts',
    superseded: 'only_drafts'
  },
  cancel: DECIDED,
  hand_over: { ...NOT_SENT, ...DECIDED },
  accept: { ...NOT_SENT, ...DECIDED },
  reject: { ...NOT_SENT, ...DECIDED },
  withdraw: {
    draft: 'not_accepted',
    sent: 'not_accepted',
    rejected: 'not_accepted',
    expired: 'not_accepted',
    cancelled: 'not_accepted',
    superseded: 'not_accepted'
  },
  resend: NOT_SENT,
  new_link: NOT_SENT,
  revise: { draft: 'draft', accepted: 'accepted', superseded: 'superseded' },
  set_code: {},
  unlock: NOT_SENT,
  duplicate: {},
  save_template: {},
  preview: {},
  pdf: {},
  signed_pdf: {
    draft: 'not_signed',
    sent: 'not_signed',
    rejected: 'not_signed',
    expired: 'not_signed',
    cancelled: 'not_signed',
    superseded: 'not_signed'
  }
}

/** Reasons that depend on more than the status. */
const FURTHER: Partial<Record<BudgetAction, (facts: ActionFacts) => ReasonKey | null>> = {
  withdraw: ({ withdrawn_at }) => (withdrawn_at ? 'withdrawn' : null),
  send: facts => (hasOther(facts, 'accepted') ? 'other_accepted' : null),
  revise: facts => (hasOther(facts, 'draft') ? 'other_draft' : hasOther(facts, 'accepted') ? 'other_accepted' : null),
  resend: ({ link }) => (link.state === 'none' ? 'no_link' : link.has_code ? null : 'no_code'),
  new_link: ({ link }) => (link.state === 'none' ? 'no_link' : link.has_code ? null : 'no_code'),
  set_code: ({ status, link }) => (status !== 'draft' && link.state === 'none' ? 'no_link' : null),
  unlock: ({ link }) => (link.locked || link.failed_attempts > 0 ? null : 'not_locked'),
  signed_pdf: ({ signed_pdf }) =>
    signed_pdf.status === 'ready' ? null : signed_pdf.status === 'pending' ? 'pdf_pending' : 'not_signed'
}

const hasOther = ({ id, versions }: ActionFacts, status: Status) =>
  versions.some(version => version.id !== id && version.status === status)

/** A budget whose patient's data was erased can only be viewed. */
const LOOKS: BudgetAction[] = ['preview', 'pdf', 'signed_pdf']

/** Returns null if the state allows the action. Permissions are checked elsewhere. */
export function reasonAgainst(action: BudgetAction, facts: ActionFacts): ReasonKey | null {
  if (facts.erased_at && !LOOKS.includes(action)) return 'erased'
  return FORBIDDEN[action][facts.status] ?? FURTHER[action]?.(facts) ?? null
}

/** The actions with a button of their own in each status; the last is what usually comes next. */
export const MAIN_ACTIONS: Record<Status, readonly BudgetAction[]> = {
  draft: ['edit', 'send'],
  sent: ['accept', 'resend'],
  accepted: ['signed_pdf'],
  rejected: ['duplicate', 'revise'],
  expired: ['duplicate', 'revise'],
  cancelled: ['duplicate', 'revise'],
  superseded: ['pdf', 'duplicate']
}

/** A button on the page: an action, a copy of the link, or the answer to a question. */
export type MainAction = BudgetAction | 'copy_link' | 'answer'

/**
 * The buttons of a budget; the last is what usually comes next, and all other actions are in the menu. A question comes
 * first. A link that was handed over is handed over again by a copy.
 */
export function mainActions(budget: Pick<BudgetDetail, 'status' | 'open_questions' | 'link'>): readonly MainAction[] {
  const { status, open_questions, link } = budget
  const usual = MAIN_ACTIONS[status]
  if (open_questions > 0) return [...usual.slice(0, -1), 'answer']
  if (status === 'sent' && link.channel === 'manual' && link.url) return [...usual.slice(0, -1), 'copy_link']
  return usual
}
