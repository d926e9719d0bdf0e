/** What a message about a link says. No price, no treatment, never the code. */
export interface LinkTexts {
  greeting (name: string): string
  subject: Record<MessageKind, (clinic: string) => string>
  lead: Record<MessageKind, (clinic: string) => string>
  button: string
  /** `day` is written out; the day counts to its end in the clinic's zone. */
  until (day: string, zone: string): string
  code: string
  questions: (contact: string) => string
  fallback: string
}

/** First message, the same again, the patient's copy of what was decided, and one that can only be read. */
export type MessageKind = 'sent' | 'again' | 'copy' | 'closed'

const en: LinkTexts = {
  greeting: name => `Dear ${name},`,
  subject: {
    sent: clinic => `Your treatment budget from ${clinic}`,
    again: clinic => `Reminder: your treatment budget from ${clinic}`,
    copy: clinic => `Your copy of the treatment budget from ${clinic}`,
    closed: clinic => `Your treatment budget from ${clinic}`
  },
  lead: {
    sent: clinic => `${clinic} has prepared a treatment budget for you. You can read it, accept it or reject it here:`,
    again: clinic => `${clinic} would like to remind you of the treatment budget that was prepared for you. You can read it, accept it or reject it here:`,
    copy: clinic => `Your decision has reached ${clinic}. You can read and download your copy here:`,
    closed: clinic => `${clinic} sends you the link to your treatment budget once more. It can be read, but no longer decided:`
  },
  button: 'Open the budget',
  until: (day, zone) => `It is valid until 24:00 on ${day} (${zone}).`,
  code: 'The page asks for a numeric code. The clinic gives it to you separately; it is never in a message with this link.',
  questions: contact => `Questions? Contact us: ${contact}`,
  fallback: 'If the button does not work, copy this address into your browser:'
}

const es: LinkTexts = {
  greeting: name => `Hola, ${name}:`,
  subject: {
    sent: clinic => `Su presupuesto de tratamiento de ${clinic}`,
    again: clinic => `Recordatorio: su presupuesto de tratamiento de ${clinic}`,
    copy: clinic => `Su copia del presupuesto de tratamiento de ${clinic}`,
    closed: clinic => `Su presupuesto de tratamiento de ${clinic}`
  },
  lead: {
    sent: clinic => `${clinic} ha preparado un presupuesto de tratamiento para usted. Puede leerlo, aceptarlo o rechazarlo aquí:`,
    again: clinic => `${clinic} le recuerda el presupuesto de tratamiento que se preparó para usted. Puede leerlo, aceptarlo o rechazarlo aquí:`,
    copy: clinic => `Su decisión ha llegado a ${clinic}. Puede leer y descargar su copia aquí:`,
    closed: clinic => `${clinic} le envía de nuevo el enlace a su presupuesto de tratamiento. Se puede leer, pero ya no decidir:`
  },
  button: 'Abrir el presupuesto',
  until: (day, zone) => `Es válido hasta las 24:00 del ${day} (${zone}).`,
  code: 'La página pide un código numérico. La clínica se lo da por separado; nunca está en un mensaje junto a este enlace.',
  questions: contact => `¿Tiene preguntas? Contacte con nosotros: ${contact}`,
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:'
}

const languages: Record<string, LinkTexts> = { en, es }

/** The first of the wanted languages that messages exist in, else English. */
export function textsFor(...locales: string[]): { texts: LinkTexts, locale: string } {
  const found = locales.find(locale => locale.split('-')[0]! in languages)
  return found ? { texts: languages[found.split('-')[0]!]!, locale: found } : { texts: en, locale: 'en' }
}
