import { describe, expect, test } from 'vitest'
import { linkMessage, type LinkMessage } from '../../../layers/budget/server/mail/link-message.ts'

const about = (fields: Partial<LinkMessage> = {}): LinkMessage => ({
  locale: 'es',
  kind: 'sent',
  status: 'sent',
  clinic: {
    name: 'Clínica Peñalver',
    phone: '+34 910 000 000',
    email: 'hola@clinica.test',
    locale: 'es',
    accent_color: '#0f5e59'
  },
  patient_first_name: 'Lucía',
  url: 'https://clinica.test/p/budget/abc',
  valid_until: '2026-03-14',
  time_zone: 'Europe/Madrid',
  message: null,
  ...fields
})

describe('the message with the link', () => {
  test('is in the patient\'s language, with the link in the text and in the HTML', () => {
    const { subject, text, html } = linkMessage(about())
    expect(subject).toBe('Su presupuesto de tratamiento de Clínica Peñalver')
    expect(text).toContain('Hola, Lucía:')
    expect(text).toContain('\nhttps://clinica.test/p/budget/abc\n')
    expect(text).toContain('hasta el 14 de marzo de 2026 inclusive (Europe/Madrid)')
    expect(html).toContain('href="https://clinica.test/p/budget/abc"')
    expect(html).toContain('lang="es"')
  })

  test('is in the clinic\'s language, otherwise in English, when the patient\'s language is not available', () => {
    expect(linkMessage(about({ locale: 'es-MX' })).subject).toMatch(/^Su presupuesto/)
    expect(linkMessage(about({ locale: 'fi' })).subject).toMatch(/^Su presupuesto/)
    expect(linkMessage(about({ locale: 'fi', clinic: { ...about().clinic, locale: 'nl' } })).subject).toMatch(
      /^Your treatment budget/
    )
  })

  const kinds = [['sent', 'sent'], ['again', 'sent'], ['again', 'accepted'], ['again', 'expired']] as const
  test.each(['en', 'es', 'fr', 'de', 'pt', 'ar'])('has its own texts in %s', (locale) => {
    const subjects = kinds.map(([kind, status]) => {
      const { subject, text, html } = linkMessage(about({ locale, kind, status }))
      expect(html).toContain(`lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"`)
      for (const part of [subject, text]) expect(part).not.toMatch(/undefined|null|\[object/)
      if (locale === 'en') return subject
      const english = linkMessage(about({ locale: 'en', kind, status })).text.split('\n\n')
      const shared = text.split('\n\n').filter(paragraph => english.includes(paragraph))
      expect(shared.filter(paragraph => !/^https:|^Clínica Peñalver/.test(paragraph))).toEqual([])
      return subject
    })
    expect(new Set(subjects).size).toBe(3)
  })

  test('keeps the order of a phone number within Arabic text, and writes dates with Arabic digits', () => {
    const { text } = linkMessage(about({ locale: 'ar' }))
    expect(text).toContain('\u2068+34 910 000 000\u2069')
    expect(text).toMatch(/حتى نهاية يوم 14 \S+ 2026/)
    expect(linkMessage(about({ locale: 'en' })).text).toContain(': +34 910 000 000 · hola@clinica.test')
  })

  test.each([
    ['again', 'sent', 'Reminder: your'], ['again', 'accepted', 'Your copy'], ['again', 'rejected', 'Your copy'],
    ['again', 'expired', 'Your treatment'], ['sent', 'cancelled', 'Your treatment']
  ] as const)('sent as %s for a budget that is %s contains "%s"', (kind, status, start) => {
    const { subject, text } = linkMessage(about({ locale: 'en', kind, status }))
    expect(subject.startsWith(start)).toBe(true)
    expect(text.includes('valid until')).toBe(status === 'sent')
  })

  test('escapes names and the text of the staff', () => {
    const { html, text } = linkMessage(
      about({
        patient_first_name: '<img src=x onerror=1>',
        message: 'Hi & <b>bye</b>\nsoon',
        url: 'https://x.test/"><script>'
      })
    )
    expect(html).not.toMatch(/<img|<b>|<script/)
    expect(html).toContain('Hi &amp; &lt;b&gt;bye&lt;/b&gt;<br>soon')
    expect(text).toContain('Hi & <b>bye</b>\nsoon')
  })

  test('loads no external resources', () => {
    expect(linkMessage(about()).html).not.toMatch(/<img|<link|<script|url\(|@import/)
  })
})
