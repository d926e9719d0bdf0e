import type { Clinic, Ctx } from '@svc/kit'
import type { BudgetRow } from '../../../db/budgets.ts'
import type { LinkRow } from '../../../db/links.ts'
import { linkMessage, messageKind } from '../../../mail/link-message.ts'
import { shortMessage } from '../../../mail/short-message.ts'
import type { Status } from '../../../../shared/domain/budget-state.ts'
import { linkUrl, shortUrl } from '../link-state.ts'

/** The texts of a message about a link. */
export interface WrittenLink { locale: string, text: string, url: string, subject?: string, html?: string }

interface LinkContent {
  budget: BudgetRow
  link: LinkRow
  clinic: Clinic
  locale: string
  kind: 'sent' | 'again'
  status: Status
  /** A message by staff, which only long texts have room for. */
  message: string | null
  /** The channel's texts have to fit into one SMS. */
  short: boolean
}

/** The text that fits the channel, with an address that opens the link. */
export function writeLink(
  ctx: Ctx,
  { budget, link, clinic, locale, kind, status, message, short }: LinkContent
): WrittenLink {
  const { patient_first_name, valid_until, time_zone } = budget
  const long = linkUrl(ctx, link)!
  if (!short) {
    const mail = linkMessage(
      { locale, kind, status, clinic, patient_first_name, url: long, valid_until, time_zone, message }
    )
    return { locale, url: long, ...mail }
  }
  const url = shortUrl(ctx, link) ?? long
  return { locale, url, text: shortMessage({ locale, clinic, kind: messageKind({ kind, status }), url }) }
}
