import { fillText, firstWith, languageOf } from '@svc/sheet/texts.ts'
import en from '../../i18n/staff/en.json' with { type: 'json' }
import es from '../../i18n/staff/es.json' with { type: 'json' }
import fr from '../../i18n/staff/fr.json' with { type: 'json' }
import de from '../../i18n/staff/de.json' with { type: 'json' }
import pt from '../../i18n/staff/pt.json' with { type: 'json' }
import ar from '../../i18n/staff/ar.json' with { type: 'json' }

/** The texts that only the PDFs of invoices and receipts have. They share the others with the screens. */
function labelsIn({ billing: { pdf, invoice, status, advance, method } }: typeof en) {
  return {
    ...pdf,
    paid: invoice.paid,
    due: invoice.due,
    status,
    methods: method,
    in_advance: (day: string) => fillText(advance.on_invoice, { day }),
    advance_left: advance.left,
    receipt_line: (number: string) => fillText(pdf.receipt_line, { number }),
    budget: (number: string) => fillText(pdf.budget, { number }),
    net_at: (rate: string) => fillText(pdf.net_at, { rate }),
    credits: (at: { number: string, date: string }) => fillText(pdf.credits, at),
    credit_pro_forma: (at: { number: string, date: string }) => fillText(pdf.credit_pro_forma, at),
    credited_by: (number: string) => fillText(pdf.credited_by, { number }),
    vat_at: (rate: string) => fillText(pdf.vat_at, { rate }),
    cancelled: (date: string) => fillText(pdf.cancelled, { date })
  }
}

const LANGUAGES: Record<string, ReturnType<typeof labelsIn>> = {
  en: labelsIn(en),
  es: labelsIn(es),
  fr: labelsIn(fr),
  de: labelsIn(de),
  pt: labelsIn(pt),
  ar: labelsIn(ar)
}

/** The first of the requested locales that is supported, otherwise English. */
export const invoiceLocale = (...wanted: string[]): string => firstWith(LANGUAGES, wanted)

export const labelsFor = (locale: string) => LANGUAGES[languageOf(invoiceLocale(locale))]!
