import { describe, expect, test } from 'vitest'
import { directionOf, writeEmail, type Email } from '@svc/kit/email'

const aLetter = (fields: Partial<Email> = {}): Email => ({
  locale: 'en', sender: { name: 'Clinic & Sons', accent_color: '#0f766e' }, before: ['Hello,', null, 'one\ntwo'],
  button: { label: 'Open', url: 'https://clinic.test/p?a=1&b=2' }, after: ['Bye'], fallback: 'Or copy this:', ...fields
})

describe('a mail message', () => {
  test('has the same content as text and as HTML, with the address in both', () => {
    const { text, html } = writeEmail(aLetter())
    expect(text).toBe('Hello,\n\none\ntwo\n\nhttps://clinic.test/p?a=1&b=2\n\nBye\n\nClinic & Sons\n')
    expect(html.match(/href="https:\/\/clinic\.test\/p\?a=1&amp;b=2"/g)).toHaveLength(1)
    for (const part of ['Clinic &amp; Sons', 'Hello,', 'one<br>two', 'Bye', 'Or copy this:'])
      expect(html).toContain(part)
  })

  test('has the direction of its language', () => {
    expect(writeEmail(aLetter({ locale: 'ar' })).html).toMatch(/<html lang="ar" dir="rtl">[\s\S]*text-align:right/)
    expect(writeEmail(aLetter({ locale: 'es-MX' })).html).toMatch(
      /<html lang="es-MX" dir="ltr">[\s\S]*text-align:left/
    )
    expect(['ar-EG', 'he', 'fr'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr'])
  })

  test('shows texts that people wrote without interpreting them, at every place', () => {
    const bad = '"><img src=x onerror=1><!--'
    const { html } = writeEmail(
      aLetter({
        locale: bad,
        sender: { name: bad, accent_color: bad },
        before: [bad],
        button: { label: bad, url: bad },
        after: [bad],
        fallback: bad
      })
    )
    expect(html).not.toMatch(/<img|<!--/)
    expect(html).not.toContain('"">')
  })

  test('loads no external resources, and supports dark mode', () => {
    const { html } = writeEmail(aLetter())
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import/)
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })

  test('uses tables for layout only, and closes every row', () => {
    const { html } = writeEmail(aLetter())
    for (const tag of ['table', 'tr', 'td', 'div', 'a'])
      expect([tag, html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length]).toEqual([
        tag,
        html.match(new RegExp(`</${tag}>`, 'g'))?.length
      ])
    expect(html.match(/<table /g)).toHaveLength(html.match(/<table role="presentation"/g)!.length)
  })
})
