import { isolate } from '@svc/kit/email'
import { textsFor } from './texts.ts'

/** Texts about questions and answers. They quote neither, and name only the clinic. */
interface QuestionTexts {
  /** For staff; with the budget's number. */
  asked: { subject (number: string): string, lead (number: string): string, where: string }
  /** For the patient. */
  answered: { subject (clinic: string): string, lead (clinic: string): string }
}

const en: QuestionTexts = {
  asked: {
    subject: number => `Question about budget ${number}`,
    lead: number => `The patient asked a question about budget ${number}.`,
    where: 'You can read and answer it on the budget’s page.'
  },
  answered: {
    subject: clinic => `${clinic} has answered you`,
    lead: clinic => `${clinic} has written to you about your treatment budget. You can read the message here:`
  }
}

const es: QuestionTexts = {
  asked: {
    subject: number => `Pregunta sobre el presupuesto ${number}`,
    lead: number => `El paciente ha hecho una pregunta sobre el presupuesto ${number}.`,
    where: 'Puede leerla y responderla en la página del presupuesto.'
  },
  answered: {
    subject: clinic => `${clinic} le ha respondido`,
    lead: clinic => `${clinic} le ha escrito sobre su presupuesto de tratamiento. Puede leer el mensaje aquí:`
  }
}

const fr: QuestionTexts = {
  asked: {
    subject: number => `Question sur le devis ${number}`,
    lead: number => `Le patient a posé une question sur le devis ${number}.`,
    where: 'Vous pouvez la lire et y répondre sur la page du devis.'
  },
  answered: {
    subject: clinic => `${clinic} vous a répondu`,
    lead: clinic => `${clinic} vous a écrit au sujet de votre devis. Vous pouvez lire le message ici\u00A0:`
  }
}

const de: QuestionTexts = {
  asked: {
    subject: number => `Frage zum Kostenvoranschlag ${number}`,
    lead: number => `Zum Kostenvoranschlag ${number} wurde eine Frage gestellt.`,
    where: 'Sie können sie auf der Seite des Kostenvoranschlags lesen und beantworten.'
  },
  answered: {
    subject: clinic => `${clinic} hat Ihnen geantwortet`,
    lead: clinic =>
      `${clinic} hat Ihnen zu Ihrem Kostenvoranschlag geschrieben. Sie können die Nachricht hier lesen:`
  }
}

const pt: QuestionTexts = {
  asked: {
    subject: number => `Pergunta sobre o orçamento ${number}`,
    lead: number => `O paciente fez uma pergunta sobre o orçamento ${number}.`,
    where: 'Pode lê-la e responder na página do orçamento.'
  },
  answered: {
    subject: clinic => `${clinic} respondeu-lhe`,
    lead: clinic => `${clinic} escreveu-lhe sobre o seu orçamento de tratamento. Pode ler a mensagem aqui:`
  }
}

const ar: QuestionTexts = {
  asked: {
    subject: number => `سؤال عن العرض ${isolate(number)}`,
    lead: number => `طرح المريض سؤالًا عن العرض ${isolate(number)}.`,
    where: 'يمكنكم قراءته والرد عليه في صفحة العرض.'
  },
  answered: {
    subject: clinic => `ردّت عليكم عيادتكم ${isolate(clinic)}`,
    lead: clinic => `كتبت إليكم عيادتكم ${isolate(clinic)} بشأن عرض سعر علاجكم. يمكنكم قراءة الرسالة هنا:`
  }
}

const languages: Record<string, QuestionTexts> = { en, es, fr, de, pt, ar }

/** Greeting, button, the sentence about the code and the address line are those of the message with the link. */
export function questionTextsFor(wanted: string, instead?: string) {
  const wishes = instead === undefined ? [wanted] : [wanted, instead]
  const { texts: { greeting, button, code, fallback }, locale } = textsFor(...wishes)
  return { texts: { ...(languages[locale.split('-')[0]!] ?? en), greeting, button, code, fallback }, locale }
}
