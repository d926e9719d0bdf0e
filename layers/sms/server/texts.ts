import type { LocalText } from '@svc/kit'

/** Why a message can't be sent, or did not arrive: sentences for the staff. */
const REASONS = {
  no_number: {
    en: 'The patient has no phone number.',
    es: 'El paciente no tiene número de teléfono.',
    fr: 'Le patient n’a pas de numéro de téléphone.',
    de: 'Es ist keine Telefonnummer hinterlegt.',
    pt: 'O paciente não tem número de telefone.',
    ar: 'ليس للمريض رقم هاتف.'
  },
  no_country: {
    en: 'The number has no country code. Add it, or set the clinic’s country in Settings.',
    es: 'El número no tiene prefijo de país. Añádalo, o indique el país de la clínica en Ajustes.',
    fr: 'Le numéro n’a pas d’indicatif de pays. Ajoutez-le ou indiquez le pays du cabinet dans les Paramètres.',
    de: 'Der Nummer fehlt die Landesvorwahl. Ergänzen Sie sie, oder legen Sie in den Einstellungen das Land der Praxis fest.',
    pt: 'O número não tem indicativo do país. Acrescente-o ou indique o país da clínica nas Definições.',
    ar: 'لا يحتوي الرقم على رمز البلد. أضيفوه أو حددوا بلد العيادة في الإعدادات.'
  },
  impossible: {
    en: 'This phone number can’t exist. Check it with the patient.',
    es: 'Este número de teléfono no puede existir. Compruébelo con el paciente.',
    fr: 'Ce numéro de téléphone ne peut pas exister. Vérifiez-le avec le patient.',
    de: 'Diese Telefonnummer kann es nicht geben. Prüfen Sie sie mit der Patientin oder dem Patienten.',
    pt: 'Este número de telefone não pode existir. Confirme-o com o paciente.',
    ar: 'لا يمكن أن يوجد رقم الهاتف هذا. تحققوا منه مع المريض.'
  },
  landline: {
    en: 'This is a landline, which gets no text messages. Add a mobile number.',
    es: 'Es un teléfono fijo, que no recibe mensajes de texto. Añada un número de móvil.',
    fr: 'C’est une ligne fixe, qui ne reçoit pas de SMS. Ajoutez un numéro de mobile.',
    de: 'Das ist ein Festnetzanschluss, der keine Textnachrichten empfängt. Ergänzen Sie eine Mobilnummer.',
    pt: 'É um telefone fixo, que não recebe mensagens de texto. Acrescente um número de telemóvel.',
    ar: 'هذا رقم هاتف ثابت لا يستقبل الرسائل النصية. أضيفوا رقم جوال.'
  },
  special: {
    en: 'This kind of number gets no text messages. Add a mobile number.',
    es: 'Este tipo de número no recibe mensajes de texto. Añada un número de móvil.',
    fr: 'Ce type de numéro ne reçoit pas de SMS. Ajoutez un numéro de mobile.',
    de: 'Diese Art von Nummer empfängt keine Textnachrichten. Ergänzen Sie eine Mobilnummer.',
    pt: 'Este tipo de número não recebe mensagens de texto. Acrescente um número de telemóvel.',
    ar: 'هذا النوع من الأرقام لا يستقبل الرسائل النصية. أضيفوا رقم جوال.'
  },
  stopped: {
    en: 'Messages to this number are turned off. You can turn them on again on the patient’s page.',
    es: 'Los mensajes a este número están desactivados. Puede volver a activarlos en la página del paciente.',
    fr: 'Les messages vers ce numéro sont désactivés. Vous pouvez les réactiver sur la page du patient.',
    de: 'Nachrichten an diese Nummer sind ausgeschaltet. Sie können sie auf der Seite der Patientin oder des Patienten wieder einschalten.',
    pt: 'As mensagens para este número estão desativadas. Pode voltar a ativá-las na página do paciente.',
    ar: 'الرسائل إلى هذا الرقم متوقفة. يمكنكم تشغيلها من جديد في صفحة المريض.'
  },
  limit: {
    en: 'Today’s limit of messages is reached. Raise it in Settings, or send again tomorrow.',
    es: 'Se ha alcanzado el límite de mensajes de hoy. Auméntelo en Ajustes o vuelva a enviar mañana.',
    fr: 'La limite de messages d’aujourd’hui est atteinte. Augmentez-la dans les Paramètres ou renvoyez demain.',
    de: 'Das Tageslimit für Nachrichten ist erreicht. Erhöhen Sie es in den Einstellungen, oder senden Sie morgen erneut.',
    pt: 'O limite de mensagens de hoje foi atingido. Aumente-o nas Definições ou volte a enviar amanhã.',
    ar: 'بلغتم حد الرسائل لهذا اليوم. ارفعوه في الإعدادات أو أعيدوا الإرسال غدًا.'
  },
  twilio_incomplete: {
    en: 'Enter account, key and sender of Twilio in Settings.',
    es: 'Indique la cuenta, la clave y el remitente de Twilio en Ajustes.',
    fr: 'Saisissez le compte, la clé et l’expéditeur Twilio dans les Paramètres.',
    de: 'Tragen Sie Konto, Schlüssel und Absender von Twilio in den Einstellungen ein.',
    pt: 'Indique a conta, a chave e o remetente da Twilio nas Definições.',
    ar: 'أدخلوا حساب Twilio ومفتاحه والمرسِل في الإعدادات.'
  },
  http_incomplete: {
    en: 'Enter the gateway’s address in Settings, with the number and the text in its template.',
    es: 'Indique la dirección de la pasarela en Ajustes, con el número y el texto en su plantilla.',
    fr: 'Saisissez l’adresse de la passerelle dans les Paramètres, avec le numéro et le texte dans son modèle.',
    de: 'Tragen Sie die Adresse des Gateways in den Einstellungen ein, mit Nummer und Text in der Vorlage.',
    pt: 'Indique o endereço do gateway nas Definições, com o número e o texto no modelo.',
    ar: 'أدخلوا عنوان البوابة في الإعدادات، مع الرقم والنص في قالبها.'
  },
  no_whatsapp: {
    en: 'WhatsApp needs Twilio and a WhatsApp sender. Set them up in Settings.',
    es: 'WhatsApp necesita Twilio y un remitente de WhatsApp. Configúrelos en Ajustes.',
    fr: 'WhatsApp nécessite Twilio et un expéditeur WhatsApp. Configurez-les dans les Paramètres.',
    de: 'WhatsApp braucht Twilio und einen WhatsApp-Absender. Richten Sie beide in den Einstellungen ein.',
    pt: 'O WhatsApp precisa da Twilio e de um remetente WhatsApp. Configure-os nas Definições.',
    ar: 'يتطلب واتساب حساب Twilio ومرسِلاً لواتساب. أعدّوهما في الإعدادات.'
  },
  bad_number: {
    en: 'The provider refused this number. Check it with the patient.',
    es: 'El proveedor ha rechazado este número. Compruébelo con el paciente.',
    fr: 'Le fournisseur a refusé ce numéro. Vérifiez-le avec le patient.',
    de: 'Der Anbieter hat diese Nummer abgelehnt. Prüfen Sie sie mit der Patientin oder dem Patienten.',
    pt: 'O fornecedor recusou este número. Confirme-o com o paciente.',
    ar: 'رفض مزوّد الخدمة هذا الرقم. تحققوا منه مع المريض.'
  },
  unsubscribed: {
    en: 'The patient has answered STOP, so messages to this number are turned off.',
    es: 'El paciente ha respondido STOP, así que los mensajes a este número están desactivados.',
    fr: 'Le patient a répondu STOP\u00A0; les messages vers ce numéro sont donc désactivés.',
    de: 'Auf eine Nachricht kam STOP zurück. Nachrichten an diese Nummer sind deshalb ausgeschaltet.',
    pt: 'O paciente respondeu STOP, por isso as mensagens para este número estão desativadas.',
    ar: 'رد المريض بكلمة STOP، لذلك أوقفت الرسائل إلى هذا الرقم.'
  },
  no_window: {
    en: 'WhatsApp only accepts this message within 24 hours of the patient’s last one, or as an approved template.',
    es: 'WhatsApp solo acepta este mensaje en las 24 horas siguientes al último del paciente, o como plantilla aprobada.',
    fr: 'WhatsApp n’accepte ce message que dans les 24 heures suivant le dernier du patient, ou comme modèle approuvé.',
    de: 'WhatsApp nimmt diese Nachricht nur innerhalb von 24 Stunden nach der letzten Nachricht der Gegenseite an, oder als genehmigte Vorlage.',
    pt: 'O WhatsApp só aceita esta mensagem nas 24 horas seguintes à última do paciente, ou como modelo aprovado.',
    ar: 'لا يقبل واتساب هذه الرسالة إلا خلال 24 ساعة من آخر رسالة للمريض، أو كقالب معتمد.'
  },
  refused: {
    en: 'The provider refused this message.',
    es: 'El proveedor ha rechazado este mensaje.',
    fr: 'Le fournisseur a refusé ce message.',
    de: 'Der Anbieter hat diese Nachricht abgelehnt.',
    pt: 'O fornecedor recusou esta mensagem.',
    ar: 'رفض مزوّد الخدمة هذه الرسالة.'
  },
  unconfirmed: {
    en: 'The provider did not confirm this message in three attempts. It may have arrived: ask the patient before you send it again.',
    es: 'El proveedor no ha confirmado este mensaje en tres intentos. Puede haber llegado: pregunte al paciente antes de volver a enviarlo.',
    fr: 'Le fournisseur n’a pas confirmé ce message en trois tentatives. Il est peut-être arrivé\u00A0: demandez au patient avant de le renvoyer.',
    de: 'Der Anbieter hat diese Nachricht in drei Versuchen nicht bestätigt. Vielleicht ist sie angekommen: Fragen Sie nach, bevor Sie sie erneut senden.',
    pt: 'O fornecedor não confirmou esta mensagem em três tentativas. Pode ter chegado: pergunte ao paciente antes de a enviar de novo.',
    ar: 'لم يؤكّد مزوّد الخدمة هذه الرسالة في ثلاث محاولات. ربما وصلت: اسألوا المريض قبل إعادة إرسالها.'
  },
  not_delivered: {
    en: 'The phone did not get the message.',
    es: 'El teléfono no ha recibido el mensaje.',
    fr: 'Le téléphone n’a pas reçu le message.',
    de: 'Die Nachricht kam auf dem Telefon nicht an.',
    pt: 'O telefone não recebeu a mensagem.',
    ar: 'لم تصل الرسالة إلى الهاتف.'
  }
} as const satisfies Record<string, Record<string, string>>
export type Reason = keyof typeof REASONS

export const textOf = (reason: Reason): LocalText => REASONS[reason]

/** In a language, otherwise in English. */
export function sentenceIn(reason: Reason, locale: string): string {
  const texts: Record<string, string> = REASONS[reason]
  return texts[locale.split('-')[0]!] ?? texts.en!
}

/** Of a stored `error`: a word of ours, or a number of the provider, which its documentation explains. */
export function explainError(error: string, locale: string): string {
  const reason = REASON_OF[error]
  if (reason) return sentenceIn(reason, locale)
  if (Object.hasOwn(REASONS, error)) return sentenceIn(error as Reason, locale)
  return `${sentenceIn('not_delivered', locale)} (${error})`
}

/** Twilio's numbers (https://www.twilio.com/docs/api/errors). */
const REASON_OF: Record<string, Reason> = {
  21211: 'bad_number',
  21217: 'bad_number',
  21610: 'unsubscribed',
  21614: 'bad_number',
  30004: 'stopped',
  30005: 'bad_number',
  30006: 'landline',
  63003: 'bad_number',
  63016: 'no_window',
  63024: 'bad_number'
}

/** Numbers after which the channel ends for the recipient until staff turn it on again. */
export const ENDS_CHANNEL: ReadonlySet<string> = new Set(['21211', '21217', '21610', '21614', '30004', '30006', '63024'])

export const LABELS = {
  sms: { en: 'Text message (SMS)', es: 'Mensaje de texto (SMS)', fr: 'SMS', de: 'SMS', pt: 'Mensagem de texto (SMS)', ar: 'رسالة نصية (SMS)' },
  whatsapp: 'WhatsApp'
} as const

/** A message by which the staff try the provider. */
const TEST_TEXTS: Record<string, (clinic: string) => string> = {
  en: clinic => `${clinic}: this is a test message.`,
  es: clinic => `${clinic}: este es un mensaje de prueba.`,
  fr: clinic => `${clinic}: ceci est un message de test.`,
  de: clinic => `${clinic}: Das ist eine Testnachricht.`,
  pt: clinic => `${clinic}: esta é uma mensagem de teste.`,
  ar: clinic => `${clinic}: هذه رسالة تجريبية.`
}
export const testText = (clinic: string, locale: string): string =>
  (TEST_TEXTS[locale.split('-')[0]!] ?? TEST_TEXTS.en!)(clinic)
