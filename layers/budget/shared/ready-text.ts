import { toLatinDigits } from '@svc/kit/numerals'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Locale } from './text.ts'

/** Texts that staff paste into a messenger: in the patient's language, whatever the page's is. */
interface ReadyTexts {
  /** For a budget that can be decided. Never contains the code. */
  open (patient: string, clinic: string, url: string): string
  /** For a budget that can only be read: the patient's copy. */
  closed (patient: string, clinic: string, url: string): string
  /** Sent separately from the link. It contains the code, and no link. */
  code (clinic: string, code: string): string
}

const TEXTS: Record<Locale, ReadyTexts> = {
  en: {
    open: (patient, clinic, url) =>
      `Hello ${patient}, ${clinic} has prepared a treatment budget for you. You can read it, accept it or decline it here: ${url}\nThe page asks for a code. We give it to you separately.`,
    closed: (patient, clinic, url) =>
      `Hello ${patient}, here is your treatment budget from ${clinic}: ${url}\nThe page asks for the code that we gave you.`,
    code: (clinic, code) => `${clinic}: the code for your treatment budget is ${code}. Please don’t share it.`
  },
  es: {
    open: (patient, clinic, url) =>
      `Hola, ${patient}: ${clinic} ha preparado un presupuesto de tratamiento para usted. Puede leerlo, aceptarlo o rechazarlo aquí: ${url}\nLa página pide un código. Se lo damos por separado.`,
    closed: (patient, clinic, url) =>
      `Hola, ${patient}: aquí tiene su presupuesto de tratamiento de ${clinic}: ${url}\nLa página pide el código que le dimos.`,
    code: (clinic, code) =>
      `${clinic}: el código de su presupuesto de tratamiento es ${code}. Por favor, no lo comparta.`
  },
  fr: {
    open: (patient, clinic, url) =>
      `Bonjour ${patient}, ${clinic} a préparé un devis de traitement pour vous. Vous pouvez le lire, l’accepter ou le refuser ici\u00A0: ${url}\nLa page demande un code. Nous vous le donnons séparément.`,
    closed: (patient, clinic, url) =>
      `Bonjour ${patient}, voici votre devis de traitement de ${clinic}\u00A0: ${url}\nLa page demande le code que nous vous avons donné.`,
    code: (clinic, code) =>
      `${clinic}\u00A0: le code de votre devis de traitement est ${code}. Merci de ne pas le communiquer.`
  },
  de: {
    open: (patient, clinic, url) =>
      `Guten Tag ${patient}, ${clinic} hat einen Kostenvoranschlag für Sie erstellt. Hier können Sie ihn lesen, annehmen oder ablehnen: ${url}\nDie Seite fragt nach einem Code. Wir teilen ihn Ihnen getrennt mit.`,
    closed: (patient, clinic, url) =>
      `Guten Tag ${patient}, hier finden Sie Ihren Kostenvoranschlag von ${clinic}: ${url}\nDie Seite fragt nach dem Code, den Sie von uns erhalten haben.`,
    code: (clinic, code) =>
      `${clinic}: Der Code für Ihren Kostenvoranschlag ist ${code}. Bitte geben Sie ihn nicht weiter.`
  },
  pt: {
    open: (patient, clinic, url) =>
      `Olá, ${patient}: ${clinic} preparou um orçamento de tratamento para si. Pode lê-lo, aceitá-lo ou recusá-lo aqui: ${url}\nA página pede um código, que lhe damos em separado.`,
    closed: (patient, clinic, url) =>
      `Olá, ${patient}: aqui está o seu orçamento de tratamento de ${clinic}: ${url}\nA página pede o código que lhe demos.`,
    code: (clinic, code) => `${clinic}: o código do seu orçamento de tratamento é ${code}. Por favor, não o partilhe.`
  },
  ar: {
    open: (patient, clinic, url) =>
      `مرحبًا ${patient}، أعدّت لكم ${clinic} عرض سعر للعلاج. يمكنكم قراءته أو قبوله أو رفضه هنا: ${url}\nتطلب الصفحة رمزًا، ونعطيكم إياه على حدة.`,
    closed: (patient, clinic, url) =>
      `مرحبًا ${patient}، تجدون هنا عرض سعر علاجكم من ${clinic}: ${url}\nتطلب الصفحة الرمز الذي أعطيناكم إياه.`,
    code: (clinic, code) => `${clinic}: رمز عرض سعر علاجكم هو ${code}. يُرجى عدم مشاركته.`
  }
}

const textsFor = (locale: string) => TEXTS[locale.split('-')[0] as Locale] ?? TEXTS.en

export interface ReadyText { locale: string, patient: string, clinic: string, url: string, closed: boolean }

export function readyText({ locale, patient, clinic, url, closed }: ReadyText): string {
  return textsFor(locale)[closed ? 'closed' : 'open'](patient, clinic, url)
}

export const codeText = (locale: string, clinic: string, code: string): string => textsFor(locale).code(clinic, code)

/**
 * Converts a phone number to international digits: `+34 600 11 22 33`, `0034…`, and with the clinic's country (ISO
 * 3166-1) `600 11 22 33` → `34600112233`. Null if the country is unknown, because a messenger would dial another
 * number.
 */
export function internationalDigits(phone: string, country: string | null): string | null {
  const plain = latinDigits(phone).replace(/\p{Cf}/gu, '').replace(/\(0\)/g, '').replace(/^[^\d+]*00/, '+')
  return parsePhoneNumberFromString(plain, countryOf(country))?.number.slice(1) ?? null
}

const countryOf = (code: string | null) => code !== null && isSupportedCountry(code) ? code : undefined

/** Without a number, WhatsApp lets the user choose the recipient. */
export function whatsAppUrl(phone: string | null, text: string, country: string | null): string {
  return `https://wa.me/${(phone && internationalDigits(phone, country)) ?? ''}?text=${encodeURIComponent(text)}`
}

/** An `sms:` URL (RFC 5724). Phones also accept a number without its country. */
export function smsUrl(phone: string | null, text: string, country: string | null): string {
  const whole = phone && internationalDigits(phone, country)
  return `sms:${whole ? `+${whole}` : latinDigits(phone ?? '').replace(/\D/g, '')}?body=${encodeURIComponent(text)}`
}

const latinDigits = (text: string) => toLatinDigits(text.normalize('NFKC'))
