import { problem, type Ctx } from '@svc/kit'
import type { ShownBudget } from '../../db/budgets.ts'
import type { SentItem } from '../../db/items.ts'
import type { LogFacts } from '../../db/schema.ts'
import type { StoredDiscount } from '../../../shared/domain/discount.ts'
import { endOfDay } from '../../../shared/domain/validity.ts'
import { asOffered } from '../budget/offer.ts'
import { digestContent } from './content.ts'
import type { Macs } from './log-chain.ts'

const SENT = 'budget.sent'

/** Columns that affect a budget, its events or invoices, without being part of its content. */
type Row = Pick<
  ShownBudget,
  | 'id'
  | 'clinic_id'
  | 'patient_id'
  | 'professional_id'
  | 'created_by'
  | 'time_zone'
  | 'locale'
  | 'revises_id'
  | 'prices_include_tax'
  | keyof StoredDiscount
>

/**
 * What is fixed when a budget is sent: the content by its digest, and the rest of the rows. If the patient can choose,
 * the content is the offer: `digestOffer`.
 */
export interface Sent { budget: Row, items: SentItem[], digest: string }

/** The content as it was sent, without a later selection. */
export const digestOffer = (budget: ShownBudget, items: SentItem[], clinicName: string) =>
  digestContent(asOffered(budget, items), items, clinicName)

function textOf({ budget, items, digest }: Sent): string {
  const { id, clinic_id, patient_id, professional_id, created_by, time_zone, locale, revises_id } = budget
  const row = [id, clinic_id, patient_id, professional_id, created_by, time_zone, locale, revises_id]
  // Omitted if prices do not include tax, so that earlier seals stay valid.
  const mode = budget.prices_include_tax ? ['prices_include_tax'] : []
  return JSON.stringify([digest, [...row, ...discountText(budget), ...mode], items.map(lineText)])
}

const lineText = ({ id, treatment_id, unit_price, vat, tax, option_id, ...discount }: SentItem) => [
  id,
  treatment_id,
  unit_price.toString(),
  vat,
  tax.toString(),
  ...discountText(discount),
  // Omitted if there is none, so that earlier seals stay valid.
  ...(option_id === null ? [] : [option_id])
]

const discountText = ({ discount_type, discount_value }: StoredDiscount) => [
  discount_type,
  discount_value?.toString() ?? null
]

/** The form of the first seals, which covered less. They stay valid. */
const firstTextOf = ({ budget: { id, patient_id, created_by, time_zone }, digest }: Sent) =>
  [id, digest, patient_id, created_by ?? '-', time_zone].join(' ')

export const sentSeal = (macs: Macs, sent: Sent): Buffer => macs.mac(SENT, textOf(sent))

/** `full`: the current form, of a release that also logs how a sent version ends. Null: the seal does not match. */
export type SealForm = 'full' | 'first' | null

export function findSealForm(macs: Macs, sent: Sent, seal: Uint8Array | null): SealForm {
  if (seal === null) return null
  if (macs.verifyMac(SENT, textOf(sent), seal)) return 'full'
  return macs.verifyMac(SENT, firstTextOf(sent), seal) ? 'first' : null
}

/** Whether a version has been sent: it has the instant, or a state that only follows sending. */
export const wasSent = ({
  sent_at,
  sent_seal,
  status
}: Pick<ShownBudget, 'sent_at' | 'sent_seal' | 'status'>): boolean =>
  sent_at !== null || sent_seal !== null || ['sent', 'accepted', 'rejected', 'expired'].includes(status)

/** The same according to its log, which SQL cannot forge, or its checkpoint. */
export function isSentByLog({
  checkpoint,
  rows
}: {
  checkpoint: { facts: LogFacts } | null
  rows: readonly { action: string, success: boolean }[]
}): boolean {
  const { sent, decision } = checkpoint?.facts ?? {}
  return (
    (sent ?? decision) !== undefined
    || rows.some(({ action, success }) => success && ['link_sent', 'accepted', 'rejected'].includes(action))
  )
}

/** Drafts may change, and a version emptied by an erasure has its own seal. */
const mayDiffer = (budget: ShownBudget) => !wasSent(budget) || (budget.erased_at !== null && budget.status !== 'sent')

export function isAsSent(macs: Macs, sent: Sent & { budget: ShownBudget }): boolean {
  const { budget } = sent
  return mayDiffer(budget) || (findSealForm(macs, sent, budget.sent_seal) !== null && endsInTime(budget))
}

/** The day is part of the content. The instant derived from it may end a budget earlier, but never later. */
export function endsInTime({ valid_until, expires_at, time_zone }: ShownBudget): boolean {
  return valid_until === null
    ? expires_at === null
    : expires_at !== null && expires_at <= endOfDay(valid_until, time_zone)
}

interface Content { budget: ShownBudget, items: SentItem[], clinic: { name: string } }

/**
 * The content and its digest, for reading and deciding: computed once per request, or twice if a selection was
 * accepted, which the seal of the sending does not cover. Throws `content_tampered`.
 */
export function contentAsSent(
  ctx: Pick<Ctx, 'secrets' | 'log'>,
  { budget, items, clinic }: Content
): { text: string, digest: string } {
  const offered = digestOffer(budget, items, clinic.name)
  if (!isAsSent(ctx.secrets, { budget, items, digest: offered.digest })) throw tampered(ctx, budget.id)
  return budget.selection ? digestContent(budget, items, clinic.name) : offered
}

/** For callers that need no digest; not computed for a draft. Throws `content_tampered`. */
export function assertAsSent(ctx: Pick<Ctx, 'secrets' | 'log'>, content: Content): void {
  if (!mayDiffer(content.budget)) contentAsSent(ctx, content)
}

/** Logs and returns the problem. */
export function tampered(ctx: Pick<Ctx, 'log'>, budget_id: string) {
  ctx.log.error('content.tampered', { budget_id })
  return problem('content_tampered')
}
