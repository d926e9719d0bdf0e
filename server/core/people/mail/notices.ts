import { writeEmail } from '@svc/kit/email'
import { outsideDeadline } from '../../db/request-deadline.ts'
import type { Host } from '../../host.ts'
import { issueMailedToken } from './mailed-tokens.ts'
import { accountTexts } from './mail-texts.ts'
import { takeNoticeMail } from './mail-limits.ts'
import { getAddressee, linkTo, senderFor } from './mails.ts'
import { noticeTexts, type Notice } from './notice-texts.ts'

type Needs = Pick<Host, 'db' | 'mail' | 'clinics' | 'config' | 'secrets' | 'limits' | 'log'>
interface NoticeDetails {
  user_id: string
  what: Notice
  /** The clinic of the membership. */ clinic_id?: string
  /** The added factor: the mail has a link that removes it. */ factor_id?: string
}

/** Called after the change is stored. Not awaited: the answer must not wait for a mail server. */
export function notifyPerson(host: Needs, { request_id, ...happened }: NoticeDetails & { request_id: string }): void {
  void outsideDeadline(() => mailNotice(host, happened)).catch(error => host.log.error('mail.failed', { request_id, error }))
}

/** In the account's language, otherwise the sender's. Notices beyond the limit are logged and not sent. */
export async function mailNotice(host: Needs, { user_id, what, clinic_id, factor_id }: NoticeDetails): Promise<void> {
  const { email, name, locale: chosen } = await getAddressee(host, user_id)
  if (!(await takeNoticeMail(host, { email, clinic_id }))) return host.log.warn('mail.limited', { what })
  const sender = clinic_id ? await host.clinics.get(clinic_id) : await senderFor(host, user_id)
  const locale = chosen ?? sender.locale
  const { greeting, fallback } = accountTexts(locale)
  const { notices, button, otherwise, removal } = noticeTexts(locale)
  const { subject, lead } = notices[what](sender.name)
  await host.mail.send({
    to: email,
    subject,
    ...writeEmail({
      locale,
      sender,
      before: [greeting(name), lead],
      button: factor_id
        ? { label: removal.button, url: await removalLink(host, { user_id, factor_id }) }
        : { label: button, url: `${host.config.base_url}/account` },
      after: [factor_id ? removal.otherwise : otherwise],
      fallback
    })
  })
}

/** A page on which the holder can remove it: opening the link changes nothing. */
async function removalLink(host: Needs, about: { user_id: string, factor_id: string }): Promise<string> {
  const token = await issueMailedToken(host, { purpose: 'factor_removal', ...about })
  return linkTo(host.config.base_url, 'factor_removal', token)
}
