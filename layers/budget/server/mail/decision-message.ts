import type { Clinic } from '@svc/kit'
import { writeEmail } from '@svc/kit/email'
import { decisionTextsFor } from './decision-texts.ts'

export interface DecisionMessage {
  clinic: Pick<Clinic, 'name' | 'locale' | 'accent_color'>
  number: string
  decision: 'accepted' | 'rejected'
  /** The budget's page for staff. */
  url: string
}

/** The mail to staff about a decision: the number, and a link to the details, which only staff can open. */
export function decisionMessage({ clinic, number, decision, url }: DecisionMessage): {
  subject: string
  text: string
  html: string
} {
  const { texts, locale } = decisionTextsFor(clinic.locale)
  const mail = writeEmail({
    locale,
    sender: clinic,
    before: [texts.lead[decision](number)],
    button: { label: texts.button, url },
    after: [texts.setting],
    fallback: texts.fallback
  })
  return { subject: texts.subject[decision](number), ...mail }
}
