import type { Clinic } from '@svc/kit'
import { writeEmail } from '@svc/kit/email'
import { questionTextsFor } from './question-texts.ts'

interface Letter { subject: string, text: string, html: string }

export interface QuestionMessage {
  clinic: Pick<Clinic, 'name' | 'locale' | 'accent_color'>
  number: string
  /** The budget's page for staff. */
  url: string
}

/** The mail to staff about a question: the number, and a link to the details, which only staff can open. */
export function questionMessage({ clinic, number, url }: QuestionMessage): Letter {
  const { texts, locale } = questionTextsFor(clinic.locale)
  const mail = writeEmail({
    locale,
    sender: clinic,
    before: [texts.asked.lead(number)],
    button: { label: texts.button, url },
    after: [texts.asked.where],
    fallback: texts.fallback
  })
  return { subject: texts.asked.subject(number), ...mail }
}

export interface AnswerMessage {
  /** The patient's language. */
  locale: string
  clinic: Pick<Clinic, 'name' | 'locale' | 'accent_color'>
  patient_first_name: string
  /** The patient's link. */
  url: string
}

/** The mail to the patient about an answer: that there is one, and where to read it. */
export function answerMessage({ locale: wanted, clinic, patient_first_name, url }: AnswerMessage): Letter {
  const { texts, locale } = questionTextsFor(wanted, clinic.locale)
  const mail = writeEmail({
    locale,
    sender: clinic,
    before: [texts.greeting(patient_first_name), texts.answered.lead(clinic.name)],
    button: { label: texts.button, url },
    after: [texts.code],
    fallback: texts.fallback
  })
  return { subject: texts.answered.subject(clinic.name), ...mail }
}
