import { isolate } from '@svc/kit/email'
import { textsFor } from './texts.ts'

/** Texts of the mail to the clinic when wrong codes lock a link. No name, price, treatment or code. */
export interface LockTexts {
  subject (number: string): string
  lead (number: string, until: string): string
  what: string
  often: string
}

const en: LockTexts = {
  subject: number => `The link of budget ${number} is locked`,
  lead: (number, until) => `Five wrong codes were entered for budget ${number}. Its link is locked until ${until}.`,
  what: 'If it was the patient, you can unlock the link now. If not, send a new link and set a new code.',
  often: 'We send at most three of these messages a day for one budget. The home page lists every locked link.'
}

const es: LockTexts = {
  subject: number => `El enlace del presupuesto ${number} está bloqueado`,
  lead: (number, until) =>
    `Se han introducido cinco códigos incorrectos en el presupuesto ${number}. El enlace queda bloqueado hasta el ${until}.`,
  what: 'Si ha sido el paciente, puede desbloquear el enlace ahora. Si no, envíe un enlace nuevo y establezca un código nuevo.',
  often:
    'Enviamos como máximo tres mensajes de este tipo al día por presupuesto. La página de inicio muestra todos los enlaces bloqueados.'
}

const fr: LockTexts = {
  subject: number => `Le lien du devis ${number} est bloqué`,
  lead: (number, until) =>
    `Cinq codes incorrects ont été saisis pour le devis ${number}. Son lien est bloqué jusqu’au ${until}.`,
  what: 'S’il s’agit du patient, vous pouvez débloquer le lien maintenant. Sinon, envoyez un nouveau lien et définissez un nouveau code.',
  often:
    'Nous envoyons au plus trois messages de ce type par jour et par devis. La page d’accueil affiche tous les liens bloqués.'
}

const de: LockTexts = {
  subject: number => `Der Link zum Kostenvoranschlag ${number} ist gesperrt`,
  lead: (number, until) =>
    `Für den Kostenvoranschlag ${number} wurden fünf falsche Codes eingegeben. Der Link ist bis zum ${until} Uhr gesperrt.`,
  what: 'War es die Patientin oder der Patient, können Sie den Link jetzt entsperren. Andernfalls senden Sie einen neuen Link und legen einen neuen Code fest.',
  often:
    'Wir senden höchstens drei solcher Nachrichten am Tag für einen Kostenvoranschlag. Die Startseite zeigt alle gesperrten Links.'
}

const pt: LockTexts = {
  subject: number => `O link do orçamento ${number} está bloqueado`,
  lead: (number, until) =>
    `Foram introduzidos cinco códigos errados para o orçamento ${number}. O link está bloqueado até ${until}.`,
  what: 'Se foi o paciente, pode desbloquear o link agora. Caso contrário, envie um novo link e defina um novo código.',
  often:
    'Enviamos no máximo três destas mensagens por dia e por orçamento. A página inicial mostra todos os links bloqueados.'
}

const ar: LockTexts = {
  subject: number => `رابط العرض ${isolate(number)} مقفل`,
  lead: (number, until) => `أُدخلت خمسة رموز خاطئة للعرض ${isolate(number)}. الرابط مقفل حتى ${isolate(until)}.`,
  what: 'إذا كان المريض هو من أدخلها فيمكنكم فتح القفل الآن. وإلا فأرسلوا رابطًا جديدًا وعيّنوا رمزًا جديدًا.',
  often: 'نرسل ثلاث رسائل من هذا النوع على الأكثر في اليوم لكل عرض. وتعرض الصفحة الرئيسية كل الروابط المقفلة.'
}

const languages: Record<string, LockTexts> = { en, es, fr, de, pt, ar }

/** Button and address line are the same as in the patient's message. */
export function lockTextsFor(wanted: string) {
  const { texts: { button, fallback }, locale } = textsFor(wanted)
  return { texts: { ...(languages[locale.split('-')[0]!] ?? en), button, fallback }, locale }
}
