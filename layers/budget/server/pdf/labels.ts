import { displayLocale } from '@svc/kit/locale'
import { fillText, firstWith, languageOf } from '@svc/sheet/texts.ts'
import type { Area, Notation } from '../../shared/domain/teeth.ts'
import type { Rule } from '../../shared/domain/selection.ts'
import en from '../../i18n/locales/en.json' with { type: 'json' }
import es from '../../i18n/locales/es.json' with { type: 'json' }
import fr from '../../i18n/locales/fr.json' with { type: 'json' }
import de from '../../i18n/locales/de.json' with { type: 'json' }
import pt from '../../i18n/locales/pt.json' with { type: 'json' }
import ar from '../../i18n/locales/ar.json' with { type: 'json' }
import enStaff from '../../i18n/staff/en.json' with { type: 'json' }
import esStaff from '../../i18n/staff/es.json' with { type: 'json' }
import frStaff from '../../i18n/staff/fr.json' with { type: 'json' }
import deStaff from '../../i18n/staff/de.json' with { type: 'json' }
import ptStaff from '../../i18n/staff/pt.json' with { type: 'json' }
import arStaff from '../../i18n/staff/ar.json' with { type: 'json' }

export type Labels = ReturnType<typeof labelsIn>

/** The texts of the PDF. Texts that the patient's page or a screen has too are the same. */
function labelsIn({ budget: page }: typeof en, { budget: staff }: typeof enStaff) {
  const { pdf, field, detail: { decision } } = staff
  return {
    title: pdf.title,
    version: pdf.version,
    /** Contains `{page}` and `{pages}`. */
    page: pdf.page,
    patient: page.field.patient,
    professional: field.professional,
    /** Below the clinician's name. */
    license: (number: string) => fillText(page.facts.license, { number }),
    unassigned: pdf.unassigned,
    date: pdf.date,
    valid: page.facts.valid,
    /** Two lines, to leave room for the names beside it. */
    until: (day: string) => fillText(page.facts.until, { day }).replace(` ${day}`, `\n${day}`),
    treatment: page.lines.treatment,
    tooth: field.tooth,
    quantity: page.field.quantity,
    original_price: capitalized(page.lines.original),
    price: page.field.price,
    original_total: page.field.original,
    discount: page.field.discount,
    global_discount: field.global_discount,
    total: page.field.total,
    tax_included: (tax: string) => fillText(page.total.tax_included, { tax }),
    no_tax: page.total.no_tax,
    /** Heading of the lines that are part of every selection. */
    base: page.choice.base,
    rule: ({ rule, options }: { rule: Rule, options: readonly unknown[] }) =>
      rule === 'exactly_one' ? page.choice.pick_one : options.length > 1 ? page.choice.pick_any : page.choice.extra,
    recommended: page.choice.recommended,
    range: (from: string, to: string) => from === to ? from : fillText(page.choice.range, { from, to }),
    depends: page.choice.depends,
    /** Shown if nothing was chosen of an optional choice. */ none: page.choice.none,
    not_chosen: page.choice.not_chosen,
    notes: page.open.notes,
    clauses: page.open.clauses,
    status: page.status,
    decision: pdf.decision,
    statement: (number: string, version: number, total: string) =>
      fillText(pdf.statement, { number, version: String(version), total }),
    /** The sentence to which the patient agrees on the page. */
    consent: (clinic: string, total: string) => fillText(page.accept.consent, { clinic, total }),
    signer: decision.signer,
    relationship: decision.relationship,
    relationships: { patient: page.field.patient, guardian: pdf.guardian, representative: pdf.representative },
    signature: decision.signature,
    click_statement: pdf.click_statement,
    decided_at: pdf.decided_at,
    method: pdf.method,
    methods: page.accept.method,
    via: { remote_link: pdf.remote_link, in_clinic: uncapitalized(decision.in_clinic) },
    content_digest: pdf.content_digest,
    check: pdf.check,
    check_hint: pdf.check_hint,
    teeth: {
      chart: page.teeth.title,
      /** Explains the sides of the chart. */
      sides: page.teeth.sides,
      notation: page.teeth.notation as Record<Notation, string>,
      area: page.teeth.area as Record<Area, string>
    }
  }
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const uncapitalized = (text: string) => text[0]!.toLowerCase() + text.slice(1)

const LANGUAGES: Record<string, Labels> = {
  en: labelsIn(en, enStaff),
  es: labelsIn(es, esStaff),
  fr: labelsIn(fr, frStaff),
  de: labelsIn(de, deStaff),
  pt: labelsIn(pt, ptStaff),
  ar: labelsIn(ar, arStaff)
}

/** The first of the wanted locales in which a PDF can be written, otherwise English. */
export const documentLocale = (...wanted: string[]): string => firstWith(LANGUAGES, wanted)

/** Labels in the locale's language, or in English; `language` is the actual language of the text. */
export function labelsFor(locale: string): { labels: Labels, language: string, format_locale: string } {
  const spoken = documentLocale(locale)
  const language = languageOf(spoken)
  return { labels: LANGUAGES[language]!, language, format_locale: displayLocale(spoken) }
}
