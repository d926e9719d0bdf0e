import { isolate } from '@svc/kit/email'
import { textsFor } from './texts.ts'

type ByDecision = Record<'accepted' | 'rejected', (number: string) => string>

/** Texts of the mail to staff about a patient's decision. No name, price, treatment or reason. */
export interface DecisionTexts { subject: ByDecision, lead: ByDecision, setting: string }

const en: DecisionTexts = {
  subject: { accepted: number => `Budget ${number} was accepted`, rejected: number => `Budget ${number} was declined` },
  lead: {
    accepted: number => `The patient accepted budget ${number} by link.`,
    rejected: number => `The patient declined budget ${number} by link.`
  },
  setting: 'You can turn off these messages in the clinic settings.'
}

const es: DecisionTexts = {
  subject: {
    accepted: number => `El presupuesto ${number} ha sido aceptado`,
    rejected: number => `El presupuesto ${number} ha sido rechazado`
  },
  lead: {
    accepted: number => `El paciente ha aceptado el presupuesto ${number} mediante el enlace.`,
    rejected: number => `El paciente ha rechazado el presupuesto ${number} mediante el enlace.`
  },
  setting: 'Puede desactivar estos mensajes en los ajustes de la clínica.'
}

const fr: DecisionTexts = {
  subject: {
    accepted: number => `Le devis ${number} a été accepté`,
    rejected: number => `Le devis ${number} a été refusé`
  },
  lead: {
    accepted: number => `Le patient a accepté le devis ${number} par le lien.`,
    rejected: number => `Le patient a refusé le devis ${number} par le lien.`
  },
  setting: 'Vous pouvez désactiver ces messages dans les paramètres du cabinet.'
}

const de: DecisionTexts = {
  subject: {
    accepted: number => `Kostenvoranschlag ${number} wurde angenommen`,
    rejected: number => `Kostenvoranschlag ${number} wurde abgelehnt`
  },
  lead: {
    accepted: number => `Der Kostenvoranschlag ${number} wurde über den Link angenommen.`,
    rejected: number => `Der Kostenvoranschlag ${number} wurde über den Link abgelehnt.`
  },
  setting: 'Sie können diese Nachrichten in den Einstellungen der Praxis ausschalten.'
}

const pt: DecisionTexts = {
  subject: {
    accepted: number => `O orçamento ${number} foi aceite`,
    rejected: number => `O orçamento ${number} foi recusado`
  },
  lead: {
    accepted: number => `O paciente aceitou o orçamento ${number} pelo link.`,
    rejected: number => `O paciente recusou o orçamento ${number} pelo link.`
  },
  setting: 'Pode desativar estas mensagens nas definições da clínica.'
}

const ar: DecisionTexts = {
  subject: { accepted: number => `قُبل العرض ${isolate(number)}`, rejected: number => `رُفض العرض ${isolate(number)}` },
  lead: {
    accepted: number => `قَبِل المريض العرض ${isolate(number)} عن طريق الرابط.`,
    rejected: number => `رفض المريض العرض ${isolate(number)} عن طريق الرابط.`
  },
  setting: 'يمكن إيقاف هذه الرسائل من إعدادات العيادة.'
}

const languages: Record<string, DecisionTexts> = { en, es, fr, de, pt, ar }

/** Button and address line are the same as in the patient's message. */
export function decisionTextsFor(wanted: string) {
  const { texts: { button, fallback }, locale } = textsFor(wanted)
  return { texts: { ...(languages[locale.split('-')[0]!] ?? en), button, fallback }, locale }
}
