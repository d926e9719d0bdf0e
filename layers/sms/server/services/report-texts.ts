interface ReportTexts {
  title: string
  text: string
  sent: string
  delivered: string
  failed: string
  refused: string
  parts: string
  cost: string
  channel: string
  kind: string
  priced (n: string): string
  kinds: Record<string, string>
}

const TEXTS: Record<string, ReportTexts> = {
  en: {
    title: 'Text messages',
    text: 'A longer message takes several parts, and each part costs. Costs are those that the provider has reported.',
    sent: 'Sent', delivered: 'Delivered', failed: 'Failed', refused: 'Refused by the daily limit', parts: 'Parts',
    cost: 'Cost', channel: 'Channel', kind: 'Message', priced: n => `messages with a price: ${n}`,
    kinds: { link: 'Budget', reminder: 'Reminder', notice: 'Notice', code: 'Code', test: 'Test' }
  },
  es: {
    title: 'Mensajes de texto',
    text: 'Un mensaje largo ocupa varias partes y cada parte se cobra. Los costes son los que ha comunicado el proveedor.',
    sent: 'Enviados', delivered: 'Entregados', failed: 'Fallidos', refused: 'Rechazados por el límite diario', parts: 'Partes',
    cost: 'Coste', channel: 'Canal', kind: 'Mensaje', priced: n => `mensajes con precio: ${n}`,
    kinds: { link: 'Presupuesto', reminder: 'Recordatorio', notice: 'Aviso', code: 'Código', test: 'Prueba' }
  },
  fr: {
    title: 'SMS et WhatsApp',
    text: 'Un long message occupe plusieurs parties, et chacune est facturée. Les coûts sont ceux que le fournisseur a communiqués.',
    sent: 'Envoyés', delivered: 'Distribués', failed: 'Échoués', refused: 'Refusés par la limite quotidienne', parts: 'Parties',
    cost: 'Coût', channel: 'Canal', kind: 'Message', priced: n => `messages avec un prix\u00A0: ${n}`,
    kinds: { link: 'Devis', reminder: 'Rappel', notice: 'Avis', code: 'Code', test: 'Test' }
  },
  de: {
    title: 'Textnachrichten',
    text: 'Eine längere Nachricht besteht aus mehreren Teilen, und jeder Teil kostet. Die Kosten hat der Anbieter gemeldet.',
    sent: 'Gesendet', delivered: 'Zugestellt', failed: 'Fehlgeschlagen', refused: 'Vom Tageslimit abgelehnt', parts: 'Teile',
    cost: 'Kosten', channel: 'Kanal', kind: 'Nachricht', priced: n => `Nachrichten mit Preis: ${n}`,
    kinds: { link: 'Kostenvoranschlag', reminder: 'Erinnerung', notice: 'Hinweis', code: 'Code', test: 'Test' }
  },
  pt: {
    title: 'Mensagens de texto',
    text: 'Uma mensagem longa ocupa várias partes e cada parte é cobrada. Os custos são os que o fornecedor comunicou.',
    sent: 'Enviadas', delivered: 'Entregues', failed: 'Falhadas', refused: 'Recusadas pelo limite diário', parts: 'Partes',
    cost: 'Custo', channel: 'Canal', kind: 'Mensagem', priced: n => `mensagens com preço: ${n}`,
    kinds: { link: 'Orçamento', reminder: 'Lembrete', notice: 'Aviso', code: 'Código', test: 'Teste' }
  },
  ar: {
    title: 'الرسائل النصية',
    text: 'تتألف الرسالة الطويلة من عدة أجزاء، ولكل جزء كلفة. الكلفة هي ما أبلغ به مزوّد الخدمة.',
    sent: 'المرسلة', delivered: 'الواصلة', failed: 'الفاشلة', refused: 'المرفوضة بسبب الحد اليومي', parts: 'الأجزاء',
    cost: 'الكلفة', channel: 'القناة', kind: 'الرسالة', priced: n => `رسائل ذات سعر: ${n}`,
    kinds: { link: 'عرض السعر', reminder: 'تذكير', notice: 'إشعار', code: 'رمز', test: 'تجربة' }
  }
}

export const reportTextsIn = (locale: string): ReportTexts => TEXTS[locale.split('-')[0]!] ?? TEXTS.en!
