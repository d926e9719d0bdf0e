import { isolate } from '@svc/kit/email'

/** Texts of a message about a link. No price, no treatment, and never the code. */
export interface LinkTexts {
  greeting (name: string): string
  subject: Record<MessageKind, (clinic: string) => string>
  lead: Record<MessageKind, (clinic: string) => string>
  button: string
  /** `day` is written out; valid until the end of the day in the clinic's zone. */
  until (day: string, zone: string): string
  code: string
  questions: (contact: string) => string
  fallback: string
}

/** First message, the same again, the patient's copy of a decided budget, and a budget that can only be read. */
export type MessageKind = 'sent' | 'again' | 'copy' | 'closed'

const en: LinkTexts = {
  greeting: name => `Dear ${name},`,
  subject: {
    sent: clinic => `Your treatment budget from ${clinic}`,
    again: clinic =>
      `Reminder: your treatment budget from ${clinic}`,
    copy: clinic => `Your copy of the treatment budget from ${clinic}`,
    closed: clinic => `Your treatment budget from ${clinic}`
  },
  lead: {
    sent: clinic => `${clinic} has prepared a treatment budget for you. You can read it, accept it or decline it here:`,
    again: clinic =>
      `${clinic} reminds you of the treatment budget prepared for you. You can read it, accept it or decline it here:`,
    copy: clinic => `Your decision has reached ${clinic}. You can read and download your copy here:`,
    closed: clinic =>
      `${clinic} sends you the link to your treatment budget again. You can still read it, but you can no longer accept or decline it:`
  },
  button: 'Open the budget',
  until: (day, zone) => `It is valid until the end of ${day} (${zone}).`,
  code: 'The page asks for a numeric code. You get the code from the clinic separately, never in a message with this link.',
  questions: contact => `Questions? Contact us: ${contact}`,
  fallback: 'If the button doesn’t work, copy this address into your browser:'
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
    sent: clinic =>
      `${clinic} ha preparado un presupuesto de tratamiento para usted. Puede leerlo, aceptarlo o rechazarlo aquí:`,
    again: clinic =>
      `${clinic} le recuerda el presupuesto de tratamiento que se preparó para usted. Puede leerlo, aceptarlo o rechazarlo aquí:`,
    copy: clinic => `Su decisión ha llegado a ${clinic}. Puede leer y descargar su copia aquí:`,
    closed: clinic =>
      `${clinic} le envía de nuevo el enlace a su presupuesto de tratamiento. Todavía puede leerlo, pero ya no aceptarlo ni rechazarlo:`
  },
  button: 'Abrir el presupuesto',
  until: (day, zone) => `Es válido hasta el ${day} inclusive (${zone}).`,
  code: 'La página pide un código numérico. La clínica se lo da por separado; nunca está en un mensaje junto a este enlace.',
  questions: contact => `¿Tiene preguntas? Contacte con nosotros: ${contact}`,
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:'
}

const fr: LinkTexts = {
  greeting: name => `Bonjour ${name},`,
  subject: {
    sent: clinic => `Votre devis de traitement – ${clinic}`,
    again: clinic => `Rappel\u00A0: votre devis de traitement – ${clinic}`,
    copy: clinic => `Votre exemplaire du devis de traitement – ${clinic}`,
    closed: clinic => `Votre devis de traitement – ${clinic}`
  },
  lead: {
    sent: clinic =>
      `${clinic} a préparé un devis de traitement pour vous. Vous pouvez le lire, l’accepter ou le refuser ici\u00A0:`,
    again: clinic =>
      `${clinic} vous rappelle que votre devis de traitement attend votre réponse. Vous pouvez le lire, l’accepter ou le refuser ici\u00A0:`,
    copy: clinic => `Votre décision est parvenue à ${clinic}. Vous pouvez lire et télécharger votre exemplaire ici\u00A0:`,
    closed: clinic =>
      `${clinic} vous envoie à nouveau le lien vers votre devis de traitement. Vous pouvez encore le lire, mais plus l’accepter ni le refuser\u00A0:`
  },
  button: 'Ouvrir le devis',
  until: (day, zone) => `Il est valable jusqu’au ${day} inclus (${zone}).`,
  code: 'La page demande un code numérique. Le cabinet vous le donne séparément\u00A0; il ne figure jamais dans un message avec ce lien.',
  questions: contact => `Des questions\u00A0? Contactez-nous\u00A0: ${contact}`,
  fallback: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00A0:'
}

const de: LinkTexts = {
  greeting: name => `Guten Tag, ${name}.`,
  subject: {
    sent: clinic => `Ihr Kostenvoranschlag von ${clinic}`,
    again: clinic => `Erinnerung: Ihr Kostenvoranschlag von ${clinic}`,
    copy: clinic => `Ihre Ausfertigung des Kostenvoranschlags von ${clinic}`,
    closed: clinic => `Ihr Kostenvoranschlag von ${clinic}`
  },
  lead: {
    sent: clinic =>
      `${clinic} hat einen Kostenvoranschlag für Sie erstellt. Hier können Sie ihn lesen, annehmen oder ablehnen:`,
    again: clinic =>
      `${clinic} erinnert Sie an den Kostenvoranschlag, der für Sie erstellt wurde. Hier können Sie ihn lesen, annehmen oder ablehnen:`,
    copy: clinic =>
      `Ihre Entscheidung ist bei ${clinic} angekommen. Hier können Sie Ihre Ausfertigung lesen und herunterladen:`,
    closed: clinic =>
      `${clinic} sendet Ihnen den Link zu Ihrem Kostenvoranschlag noch einmal. Sie können ihn weiterhin lesen, aber nicht mehr annehmen oder ablehnen:`
  },
  button: 'Kostenvoranschlag öffnen',
  until: (day, zone) => `Er ist gültig bis einschließlich ${day} (${zone}).`,
  code: 'Die Seite fragt nach einem Zahlencode. Die Praxis teilt ihn Ihnen getrennt mit; er steht nie in einer Nachricht mit diesem Link.',
  questions: contact => `Haben Sie Fragen? So erreichen Sie uns: ${contact}`,
  fallback: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:'
}

const pt: LinkTexts = {
  greeting: name => `Olá, ${name}.`,
  subject: {
    sent: clinic => `O seu orçamento de tratamento de ${clinic}`,
    again: clinic => `Lembrete: o seu orçamento de tratamento de ${clinic}`,
    copy: clinic => `A sua cópia do orçamento de tratamento de ${clinic}`,
    closed: clinic => `O seu orçamento de tratamento de ${clinic}`
  },
  lead: {
    sent: clinic => `${clinic} preparou um orçamento de tratamento para si. Pode lê-lo, aceitá-lo ou recusá-lo aqui:`,
    again: clinic =>
      `${clinic} lembra-lhe que o seu orçamento de tratamento aguarda resposta. Pode lê-lo, aceitá-lo ou recusá-lo aqui:`,
    copy: clinic => `A sua decisão chegou a ${clinic}. Pode ler e transferir a sua cópia aqui:`,
    closed: clinic =>
      `${clinic} envia-lhe de novo o link do seu orçamento de tratamento. Ainda o pode ler, mas já não o pode aceitar nem recusar:`
  },
  button: 'Abrir o orçamento',
  until: (day, zone) => `É válido até ao fim de ${day} (${zone}).`,
  code: 'A página pede um código numérico. A clínica dá-lhe o código em separado; nunca vem numa mensagem com este link.',
  questions: contact => `Tem dúvidas? Contacte-nos: ${contact}`,
  fallback: 'Se o botão não funcionar, copie este endereço para o seu navegador:'
}

const ar: LinkTexts = {
  greeting: name => `مرحبًا ${isolate(name)}،`,
  subject: {
    sent: clinic => `عرض سعر علاجكم من ${isolate(clinic)}`,
    again: clinic => `تذكير: عرض سعر علاجكم من ${isolate(clinic)}`,
    copy: clinic => `نسختكم من عرض سعر العلاج من ${isolate(clinic)}`,
    closed: clinic => `عرض سعر علاجكم من ${isolate(clinic)}`
  },
  lead: {
    sent: clinic => `أعدّت لكم عيادتكم ${isolate(clinic)} عرض سعر للعلاج. يمكنكم قراءته أو قبوله أو رفضه هنا:`,
    again: clinic => `تذكّركم عيادتكم ${isolate(clinic)} بعرض سعر العلاج الذي أُعدّ لكم. يمكنكم قراءته أو قبوله أو رفضه هنا:`,
    copy: clinic => `وصل قراركم إلى ${isolate(clinic)}. يمكنكم قراءة نسختكم وتنزيلها هنا:`,
    closed: clinic =>
      `تعيد عيادتكم ${isolate(clinic)} إرسال رابط عرض سعر علاجكم. ما زال بإمكانكم قراءته، لكن لم يعد بإمكانكم قبوله أو رفضه:`
  },
  button: 'فتح العرض',
  until: (day, zone) => `العرض صالح حتى نهاية يوم ${day} (${isolate(zone)}).`,
  code: 'تطلب الصفحة رمزًا من أرقام. تعطيكم العيادة هذا الرمز على حدة، ولا يكون أبدًا في رسالة واحدة مع هذا الرابط.',
  questions: contact => `هل لديكم أسئلة؟ تواصلوا معنا: ${contact}`,
  fallback: 'إذا لم يعمل الزر فانسخوا هذا العنوان إلى متصفحكم:'
}

const languages: Record<string, LinkTexts> = { en, es, fr, de, pt, ar }

/** The first of the wanted languages in which messages exist, otherwise English. */
export function textsFor(...locales: string[]): { texts: LinkTexts, locale: string } {
  const found = locales.find(locale => locale.split('-')[0]! in languages)
  return found ? { texts: languages[found.split('-')[0]!]!, locale: found } : { texts: en, locale: 'en' }
}
