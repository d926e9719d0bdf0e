import type { Clinic } from '@svc/kit'
import type { Status } from '../domain/budget-state.ts'
import { textsFor, type LinkTexts, type MessageKind } from './texts.ts'

export interface LinkMessage {
  /** The patient's language first. */
  locale: string
  kind: 'sent' | 'again'
  status: Status
  clinic: Pick<Clinic, 'name' | 'phone' | 'email' | 'locale' | 'accent_color'>
  patient_first_name: string
  url: string
  /** `YYYY-MM-DD` */
  valid_until: string | null
  time_zone: string
  /** The staff's own words, plain text. */
  message: string | null
}

/** Subject, text and HTML of the message that carries the link. */
export function linkMessage(about: LinkMessage): { subject: string, text: string, html: string } {
  const { texts, locale } = textsFor(about.locale, about.clinic.locale)
  const kind = kindOf(about)
  const paragraphs = {
    greeting: texts.greeting(about.patient_first_name),
    own: about.message?.split(/\r?\n/) ?? [],
    lead: texts.lead[kind](about.clinic.name),
    until: about.status === 'sent' && about.valid_until ? texts.until(writtenOut(about.valid_until, locale), about.time_zone) : null,
    contact: contactOf(about.clinic, texts)
  }
  return {
    subject: texts.subject[kind](about.clinic.name),
    text: asText(about, texts, paragraphs),
    html: asHtml(about, texts, paragraphs, locale)
  }
}

function kindOf({ kind, status }: LinkMessage): MessageKind {
  if (status === 'sent') return kind
  return status === 'accepted' || status === 'rejected' ? 'copy' : 'closed'
}

const writtenOut = (day: string, locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

function contactOf({ phone, email }: LinkMessage['clinic'], texts: LinkTexts): string | null {
  const ways = [phone, email].filter(way => way !== null && way !== '')
  return ways.length > 0 ? texts.questions(ways.join(' · ')) : null
}

interface Paragraphs { greeting: string, own: string[], lead: string, until: string | null, contact: string | null }

function asText({ url, clinic }: LinkMessage, texts: LinkTexts, { greeting, own, lead, until, contact }: Paragraphs): string {
  const parts = [greeting, own.join('\n'), lead, url, until, texts.code, contact, clinic.name]
  return `${parts.filter(part => part).join('\n\n')}\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character]!)
const paragraph = (text: string | null, style = '') => text ? `<p style="margin:0 0 16px;${style}">${escape(text)}</p>` : ''

/** Inline styles and no picture: mail programs load nothing, and nobody can see whether it was opened. */
function asHtml({ url, clinic }: LinkMessage, texts: LinkTexts, { greeting, own, lead, until, contact }: Paragraphs, locale: string): string {
  const accent = /^#[0-9a-f]{6}$/i.test(clinic.accent_color ?? '') ? clinic.accent_color! : '#0f5e59'
  return `<!doctype html>
<html lang="${escape(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(clinic.name)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f5;color:#1d2424;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-top:4px solid ${accent}">
${paragraph(greeting)}${own.length > 0 ? `<p style="margin:0 0 16px">${own.map(escape).join('<br>')}</p>` : ''}${paragraph(lead)}
<p style="margin:24px 0"><a href="${escape(url)}" style="display:inline-block;padding:12px 24px;background:${accent};color:#ffffff;text-decoration:none;font-weight:600">${escape(texts.button)}</a></p>
${paragraph(until)}${paragraph(texts.code)}${paragraph(contact)}
<p style="margin:24px 0 0;font-size:13px;color:#5b6666">${escape(texts.fallback)}<br><span style="word-break:break-all">${escape(url)}</span></p>
</div></body></html>
`
}
