import type { Clinic } from '@svc/kit'
import { fitSms, toSmsLetters } from '../../shared/domain/sms-text.ts'
import { textsFor } from './texts.ts'
import type { Locale } from '../../shared/text.ts'

/** A code for the patient, without a link, so that the message alone opens nothing. */
interface CodeTexts {
  subject (clinic: string): string
  text (clinic: string, code: string): string
}

const TEXTS: Record<Locale, CodeTexts> = {
  en: {
    subject: clinic => `Your code from ${clinic}`,
    text: (clinic, code) => `${code} is your code for ${clinic}. It is valid for 10 minutes. Don't share it.`
  },
  es: {
    subject: clinic => `Su código de ${clinic}`,
    text: (clinic, code) => `${code} es su código de ${clinic}. Vale 10 minutos. No lo comparta.`
  },
  fr: {
    subject: clinic => `Votre code de ${clinic}`,
    text: (clinic, code) => `${code} est votre code de ${clinic}. Il est valable 10 minutes. Ne le communiquez pas.`
  },
  de: {
    subject: clinic => `Ihr Code von ${clinic}`,
    text: (clinic, code) => `${code} ist Ihr Code von ${clinic}. Er gilt 10 Minuten. Geben Sie ihn nicht weiter.`
  },
  pt: {
    subject: clinic => `O seu código de ${clinic}`,
    text: (clinic, code) => `${code} é o seu código de ${clinic}. É válido durante 10 minutos. Não o partilhe.`
  },
  ar: {
    subject: clinic => `رمزكم من ${clinic}`,
    text: (clinic, code) => `${code} رمزكم من ${clinic}. صالح لمدة 10 دقائق.`
  }
}

interface CodeMessage {
  /** The patient's language first. */
  locale: string
  clinic: Pick<Clinic, 'name' | 'locale'>
  code: string
  /** It has to fit into one SMS. */
  short: boolean
}

export function codeMessage({ locale: wanted, clinic, code, short }: CodeMessage): {
  locale: string
  text: string
  subject?: string
} {
  const { locale } = textsFor(wanted, clinic.locale)
  const { subject, text } = TEXTS[locale.split('-')[0] as Locale]
  if (short)
    return { locale, text: fitSms(toSmsLetters(clinic.name), name => toSmsLetters(text(name, code))) }
  return { locale, subject: subject(clinic.name), text: `${text(clinic.name, code)}\n` }
}
