import type { Clinic } from '@svc/kit'
import { fitSms, toSmsLetters } from '../../shared/domain/sms-text.ts'
import { Locale } from '../../shared/text.ts'
import type { MessageKind } from './texts.ts'

/** Texts that fit into one SMS with a short address: the clinic's name, no patient, price or treatment. */
type ShortTexts = Record<MessageKind | 'answered', (clinic: string, url: string) => string>

const TEXTS: Record<Locale, ShortTexts> = {
  en: {
    sent: (clinic, url) => `${clinic}: your treatment budget is ready. Read and answer it: ${url}`,
    again: (clinic, url) => `${clinic}: a reminder of your treatment budget. Read and answer it: ${url}`,
    copy: (clinic, url) => `${clinic}: your copy of your treatment budget: ${url}`,
    closed: (clinic, url) => `${clinic}: your treatment budget, to read: ${url}`,
    answered: (clinic, url) => `${clinic} has answered your question: ${url}`
  },
  es: {
    sent: (clinic, url) => `${clinic}: le hemos preparado un presupuesto de tratamiento. Puede leerlo y responder: ${url}`,
    again: (clinic, url) => `${clinic}: le recordamos su presupuesto de tratamiento: ${url}`,
    copy: (clinic, url) => `${clinic}: su copia del presupuesto de tratamiento: ${url}`,
    closed: (clinic, url) => `${clinic}: su presupuesto de tratamiento, para leerlo: ${url}`,
    answered: (clinic, url) => `${clinic} ha respondido a su pregunta: ${url}`
  },
  fr: {
    sent: (clinic, url) => `${clinic}: votre devis de traitement vous attend. Lisez-le et répondez ici: ${url}`,
    again: (clinic, url) => `${clinic}: rappel, votre devis de traitement attend votre réponse: ${url}`,
    copy: (clinic, url) => `${clinic}: votre exemplaire du devis de traitement: ${url}`,
    closed: (clinic, url) => `${clinic}: votre devis de traitement, à lire ici: ${url}`,
    answered: (clinic, url) => `${clinic} a répondu à votre question: ${url}`
  },
  de: {
    sent: (clinic, url) => `${clinic}: Ihr Kostenvoranschlag ist da. Hier lesen und beantworten: ${url}`,
    again: (clinic, url) => `${clinic}: Erinnerung an Ihren Kostenvoranschlag. Hier lesen und beantworten: ${url}`,
    copy: (clinic, url) => `${clinic}: Ihre Ausfertigung des Kostenvoranschlags: ${url}`,
    closed: (clinic, url) => `${clinic}: Ihr Kostenvoranschlag zum Nachlesen: ${url}`,
    answered: (clinic, url) => `${clinic} hat Ihre Frage beantwortet: ${url}`
  },
  pt: {
    sent: (clinic, url) => `${clinic}: temos um orçamento de tratamento para si. Leia e responda: ${url}`,
    again: (clinic, url) => `${clinic}: lembramos o seu orçamento de tratamento. Leia e responda: ${url}`,
    copy: (clinic, url) => `${clinic}: o seu exemplar do orçamento de tratamento: ${url}`,
    closed: (clinic, url) => `${clinic}: o seu orçamento de tratamento, para ler: ${url}`,
    answered: (clinic, url) => `${clinic} respondeu à sua pergunta: ${url}`
  },
  ar: {
    sent: (clinic, url) => `${clinic}: عرض سعر علاجكم ${url}`,
    again: (clinic, url) => `${clinic}: تذكير بعرض السعر ${url}`,
    copy: (clinic, url) => `${clinic}: نسختكم من العرض ${url}`,
    closed: (clinic, url) => `${clinic}: عرض السعر للقراءة ${url}`,
    answered: (clinic, url) => `${clinic}: وصلكم رد ${url}`
  }
}

export interface ShortMessage {
  /** The patient's language first. */
  locale: string
  clinic: Pick<Clinic, 'name' | 'locale'>
  kind: MessageKind | 'answered'
  /** An address without letters beyond ASCII. */
  url: string
}

/** A text for channels whose messages are short. Latin letters lose the accents that an SMS can't write. */
export function shortMessage({ locale, clinic, kind, url }: ShortMessage): string {
  const write = TEXTS[languageOf(locale) ?? languageOf(clinic.locale) ?? 'en'][kind]
  return fitSms(toSmsLetters(clinic.name), name => toSmsLetters(write(name, url)))
}

const languageOf = (locale: string): Locale | null => Locale.safeParse(locale.split('-')[0]).data ?? null
