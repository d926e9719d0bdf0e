import type { BudgetDocument, DocumentDecision } from './document.ts'

/** What the patient's page shows too has the page's words (`i18n/locales`); `tests/unit/budget/words.test.ts` compares them. */
export interface Labels {
  title: string
  version: string
  page: (page: number, pages: number) => string
  patient: string
  professional: string
  unassigned: string
  date: string
  valid: string
  /** Two lines, so that the names beside it keep their room. */
  until: (date: string) => string
  treatment: string
  tooth: string
  quantity: string
  original_price: string
  price: string
  original_total: string
  discount: string
  total: string
  tax_included: (amount: string) => string
  no_tax: string
  notes: string
  status: Record<BudgetDocument['status'], string>
  decision: string
  statement: (number: string, version: number, total: string) => string
  signer: string
  relationship: string
  relationships: Record<DocumentDecision['relationship'], string>
  signature: string
  click_statement: string
  decided_at: string
  method: string
  methods: Record<DocumentDecision['method'], string>
  via: Record<DocumentDecision['decided_via'], string>
  content_digest: string
  check: string
  check_hint: string
}

const en: Labels = {
  title: 'Treatment budget',
  version: 'Version',
  page: (page, pages) => `Page ${page} of ${pages}`,
  patient: 'Patient',
  professional: 'Professional',
  unassigned: 'Not assigned yet',
  date: 'Date',
  valid: 'Valid',
  until: date => `until 24:00 on\n${date}`,
  treatment: 'Treatment',
  tooth: 'Tooth',
  quantity: 'Quantity',
  original_price: 'Original price',
  price: 'Price',
  original_total: 'Before discounts',
  discount: 'Discount',
  total: 'Total',
  tax_included: amount => `Tax of ${amount} is included.`,
  no_tax: 'Nothing is added to this price.',
  notes: 'Notes from the clinic',
  status: { draft: 'Draft', sent: 'Open', accepted: 'Accepted', rejected: 'Rejected', expired: 'Expired', cancelled: 'Withdrawn', superseded: 'Replaced' },
  decision: 'Acceptance',
  statement: (number, version, total) => `Budget ${number}, version ${version}, was accepted for a total of ${total}.`,
  signer: 'Signed by',
  relationship: 'Signs as',
  relationships: { patient: 'Patient', guardian: 'Parent or guardian', representative: 'Representative' },
  signature: 'Signature',
  click_statement: 'Accepted with a click, with consent given in the form.',
  decided_at: 'Date and time',
  method: 'Way to sign',
  methods: { click: 'With a click', typed: 'By typing', drawn: 'By drawing' },
  via: { remote_link: 'through the link, opened with its code', in_clinic: 'in the clinic' },
  content_digest: 'Content digest (SHA-256)',
  check: 'Check this file',
  check_hint: 'Anyone can check there that this file is the one that was signed.'
}

const es: Labels = {
  title: 'Presupuesto de tratamiento',
  version: 'Versión',
  page: (page, pages) => `Página ${page} de ${pages}`,
  patient: 'Paciente',
  professional: 'Profesional',
  unassigned: 'Sin asignar',
  date: 'Fecha',
  valid: 'Validez',
  until: date => `hasta las 24:00 del\n${date}`,
  treatment: 'Tratamiento',
  tooth: 'Pieza',
  quantity: 'Cantidad',
  original_price: 'Precio original',
  price: 'Precio',
  original_total: 'Antes de descuentos',
  discount: 'Descuento',
  total: 'Total',
  tax_included: amount => `Incluye ${amount} de impuestos.`,
  no_tax: 'No se añade nada a este precio.',
  notes: 'Notas de la clínica',
  status: { draft: 'Borrador', sent: 'Abierto', accepted: 'Aceptado', rejected: 'Rechazado', expired: 'Caducado', cancelled: 'Retirado', superseded: 'Sustituido' },
  decision: 'Aceptación',
  statement: (number, version, total) => `El presupuesto ${number}, versión ${version}, fue aceptado por un total de ${total}.`,
  signer: 'Firmado por',
  relationship: 'Firma como',
  relationships: { patient: 'Paciente', guardian: 'Padre, madre o tutor', representative: 'Representante' },
  signature: 'Firma',
  click_statement: 'Aceptado con un clic, con el consentimiento dado en el formulario.',
  decided_at: 'Fecha y hora',
  method: 'Forma de firmar',
  methods: { click: 'Con un clic', typed: 'Escribiendo', drawn: 'Dibujando' },
  via: { remote_link: 'mediante el enlace, abierto con su código', in_clinic: 'en la clínica' },
  content_digest: 'Resumen del contenido (SHA-256)',
  check: 'Comprobar este archivo',
  check_hint: 'Cualquiera puede comprobar ahí que este archivo es el que se firmó.'
}

const languages: Record<string, Labels> = { en, es }

/** Labels of a locale's language, English for the rest; `language` is what the text really is in. */
export function labelsFor(locale: string): { labels: Labels, language: string, format_locale: string } {
  const language = locale.split('-')[0]!.toLowerCase()
  const labels = languages[language]
  return labels ? { labels, language, format_locale: locale } : { labels: en, language: 'en', format_locale: 'en' }
}
