import type { InvoiceStatus } from '../../shared/domain/invoice-state.ts'

export interface Labels {
  title: string
  /** Of an invoice of a clinic without a tax number. */
  pro_forma: string
  due_on: string
  tax_number: string
  insurer: string
  /** With `{page}` and `{pages}`. */
  page: string
  patient: string
  budget: (number: string) => string
  date: string
  /** Instead of number and date. */
  not_issued: string
  treatment: string
  quantity: string
  vat: string
  net: string
  price: string
  net_at: (rate: string) => string
  vat_at: (rate: string) => string
  total: string
  paid: string
  due: string
  status: Record<InvoiceStatus, string>
  draft: string
  cancelled: (date: string) => string
}

const en: Labels = {
  title: 'Invoice',
  pro_forma: 'Pro forma',
  due_on: 'Due date',
  tax_number: 'Tax number',
  insurer: 'Insurer',
  page: 'Page {page} of {pages}',
  patient: 'Patient',
  budget: number => `Budget ${number}`,
  date: 'Date of issue',
  not_issued: 'Not issued yet',
  treatment: 'Treatment',
  quantity: 'Quantity',
  vat: 'VAT',
  net: 'Without VAT',
  price: 'Price',
  net_at: rate => `Net at ${rate}`,
  vat_at: rate => `VAT ${rate}`,
  total: 'Total',
  paid: 'Paid',
  due: 'Due',
  status: { draft: 'Draft', issued: 'Issued', paid: 'Paid', cancelled: 'Cancelled' },
  draft: 'DRAFT: this is not an invoice yet. It has no number.',
  cancelled: date => `CANCELLED on ${date}: nothing is due on this invoice.`
}

const es: Labels = {
  title: 'Factura',
  pro_forma: 'Factura proforma',
  due_on: 'Fecha de vencimiento',
  tax_number: 'NIF',
  insurer: 'Seguro de responsabilidad civil',
  page: 'Página {page} de {pages}',
  patient: 'Paciente',
  budget: number => `Presupuesto ${number}`,
  date: 'Fecha de emisión',
  not_issued: 'Sin emitir',
  treatment: 'Tratamiento',
  quantity: 'Cantidad',
  vat: 'IVA',
  net: 'Sin IVA',
  price: 'Precio',
  net_at: rate => `Base al ${rate}`,
  vat_at: rate => `IVA ${rate}`,
  total: 'Total',
  paid: 'Pagado',
  due: 'Pendiente',
  status: { draft: 'Borrador', issued: 'Emitida', paid: 'Pagada', cancelled: 'Anulada' },
  draft: 'BORRADOR: todavía no es una factura. No tiene número.',
  cancelled: date => `ANULADA el ${date}: no queda nada pendiente de esta factura.`
}

const fr: Labels = {
  title: 'Facture',
  pro_forma: 'Facture pro forma',
  due_on: 'Échéance',
  tax_number: 'Numéro fiscal',
  insurer: 'Assurance professionnelle',
  page: 'Page {page} sur {pages}',
  patient: 'Patient',
  budget: number => `Devis ${number}`,
  date: 'Date d’émission',
  not_issued: 'Pas encore émise',
  treatment: 'Traitement',
  quantity: 'Quantité',
  vat: 'TVA',
  net: 'Hors TVA',
  price: 'Prix',
  net_at: rate => `Base à ${rate}`,
  vat_at: rate => `TVA ${rate}`,
  total: 'Total',
  paid: 'Payé',
  due: 'Reste à payer',
  status: { draft: 'Brouillon', issued: 'Émise', paid: 'Payée', cancelled: 'Annulée' },
  draft: 'BROUILLON\u00A0: ceci n’est pas encore une facture. Elle n’a pas de numéro.',
  cancelled: date => `ANNULÉE le ${date}\u00A0: plus rien n’est dû sur cette facture.`
}

const de: Labels = {
  title: 'Rechnung',
  pro_forma: 'Pro-forma-Rechnung',
  due_on: 'Zahlbar bis',
  tax_number: 'Steuernummer',
  insurer: 'Berufshaftpflicht',
  page: 'Seite {page} von {pages}',
  patient: 'Patient/in',
  budget: number => `Kostenvoranschlag ${number}`,
  date: 'Rechnungsdatum',
  not_issued: 'Noch nicht ausgestellt',
  treatment: 'Behandlung',
  quantity: 'Menge',
  vat: 'MwSt.',
  net: 'Ohne MwSt.',
  price: 'Preis',
  net_at: rate => `Netto zu ${rate}`,
  vat_at: rate => `MwSt. ${rate}`,
  total: 'Gesamt',
  paid: 'Bezahlt',
  due: 'Offen',
  status: { draft: 'Entwurf', issued: 'Ausgestellt', paid: 'Bezahlt', cancelled: 'Storniert' },
  draft: 'ENTWURF: Dies ist noch keine Rechnung. Sie hat keine Nummer.',
  cancelled: date => `STORNIERT am ${date}: Auf diese Rechnung ist nichts mehr zu zahlen.`
}

const pt: Labels = {
  title: 'Fatura',
  pro_forma: 'Fatura pró-forma',
  due_on: 'Data de vencimento',
  tax_number: 'NIF',
  insurer: 'Seguro profissional',
  page: 'Página {page} de {pages}',
  patient: 'Paciente',
  budget: number => `Orçamento ${number}`,
  date: 'Data de emissão',
  not_issued: 'Ainda não emitida',
  treatment: 'Tratamento',
  quantity: 'Quantidade',
  vat: 'IVA',
  net: 'Sem IVA',
  price: 'Preço',
  net_at: rate => `Base a ${rate}`,
  vat_at: rate => `IVA ${rate}`,
  total: 'Total',
  paid: 'Pago',
  due: 'Em dívida',
  status: { draft: 'Rascunho', issued: 'Emitida', paid: 'Paga', cancelled: 'Anulada' },
  draft: 'RASCUNHO: isto ainda não é uma fatura. Não tem número.',
  cancelled: date => `ANULADA em ${date}: não há nada a pagar nesta fatura.`
}

const ar: Labels = {
  title: 'فاتورة',
  pro_forma: 'فاتورة أولية',
  due_on: 'تاريخ الاستحقاق',
  tax_number: 'الرقم الضريبي',
  insurer: 'التأمين المهني',
  page: 'صفحة {page} من {pages}',
  patient: 'المريض',
  budget: number => `عرض السعر ${number}`,
  date: 'تاريخ الإصدار',
  not_issued: 'لم تصدر بعد',
  treatment: 'العلاج',
  quantity: 'الكمية',
  vat: 'ضريبة القيمة المضافة',
  net: 'من دون الضريبة',
  price: 'السعر',
  net_at: rate => `الصافي بنسبة ${rate}`,
  vat_at: rate => `ضريبة القيمة المضافة ${rate}`,
  total: 'المجموع',
  paid: 'المدفوع',
  due: 'المستحق',
  status: { draft: 'مسودة', issued: 'صادرة', paid: 'مدفوعة', cancelled: 'ملغاة' },
  draft: 'مسودة: هذه ليست فاتورة بعد، وليس لها رقم.',
  cancelled: date => `أُلغيت في ${date}: لا شيء مستحق على هذه الفاتورة.`
}

const LANGUAGES: Record<string, Labels> = { en, es, fr, de, pt, ar }

const languageOf = (locale: string) => locale.split('-')[0]!.toLowerCase()

/** The first of the wanted locales that an invoice can be written in, else English. */
export const invoiceLocale = (...wanted: string[]): string =>
  wanted.find(locale => languageOf(locale) in LANGUAGES) ?? 'en'

/** Of a locale's language, English for the rest. */
export const labelsFor = (locale: string): Labels => LANGUAGES[languageOf(locale)] ?? en
