import type { Clinic } from '@svc/kit'
import { directionOf, isolate, writeEmail } from '@svc/kit/email'
import { displayLocale } from '@svc/kit/locale'
import type { Status } from '../../shared/domain/budget-state.ts'
import { textsFor, type LinkTexts, type MessageKind } from './texts.ts'

export interface LinkMessage {
  /** The patient's language first. */
  locale: string
  kind: 'sent' | 'again'
  status: Status
  clinic: Pick<Clinic, 'name' | 'phone' | 'email' | 'locale' | 'accent_color'>
  patient_first_name: string
  url: string
  /** `YYYY-MM-DD` */
  valid_until: string | null
  time_zone: string
  /** A message by staff, in plain text. */
  message: string | null
}

/** Subject, text and HTML of the message with the link. */
export function linkMessage(about: LinkMessage): { subject: string, text: string, html: string } {
  const { clinic, status, valid_until, time_zone, message, url } = about
  const { texts, locale } = textsFor(about.locale, clinic.locale)
  const kind = messageKind(about)
  const until = status === 'sent' && valid_until ? texts.until(writtenOut(valid_until, locale), time_zone) : null
  const mail = writeEmail({
    locale,
    sender: clinic,
    before: [texts.greeting(about.patient_first_name), message, texts.lead[kind](clinic.name)],
    button: { label: texts.button, url },
    after: [until, texts.code, contactOf(clinic, texts, locale)],
    fallback: texts.fallback
  })
  return { subject: texts.subject[kind](clinic.name), ...mail }
}

export function messageKind({ kind, status }: Pick<LinkMessage, 'kind' | 'status'>): MessageKind {
  if (status === 'sent') return kind
  return status === 'accepted' || status === 'rejected' ? 'copy' : 'closed'
}

const writtenOut = (day: string, locale: string) =>
  new Intl.DateTimeFormat(displayLocale(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`)
  )

/** In right-to-left text, the digits of a phone number would be reordered. */
function contactOf({ phone, email }: LinkMessage['clinic'], texts: LinkTexts, locale: string): string | null {
  const number = phone && directionOf(locale) === 'rtl' ? isolate(phone) : phone
  const ways = [number, email].filter(Boolean)
  return ways.length > 0 ? texts.questions(ways.join(' · ')) : null
}
