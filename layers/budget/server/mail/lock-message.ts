import type { Clinic } from '@svc/kit'
import { writeEmail } from '@svc/kit/email'
import { displayLocale } from '@svc/kit/locale'
import { lockTextsFor } from './lock-texts.ts'

export interface LockMessage {
  clinic: Pick<Clinic, 'name' | 'locale' | 'accent_color' | 'time_zone'>
  number: string
  locked_until: Date
  /** The budget's page for staff. */
  url: string
}

/** The mail to the clinic about a lock: the number, the time, and a link to the details, which only staff can open. */
export function lockMessage({ clinic, number, locked_until, url }: LockMessage): {
  subject: string
  text: string
  html: string
} {
  const { texts, locale } = lockTextsFor(clinic.locale)
  const until = new Intl.DateTimeFormat(displayLocale(locale), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: clinic.time_zone
  }).format(locked_until)
  const mail = writeEmail({
    locale,
    sender: clinic,
    before: [texts.lead(number, until), texts.what],
    button: { label: texts.button, url },
    after: [texts.often],
    fallback: texts.fallback
  })
  return { subject: texts.subject(number), ...mail }
}
