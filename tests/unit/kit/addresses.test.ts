import { domainToASCII } from 'node:url'
import { emailForms } from '@svc/kit/address-forms'
import { cleanEmail, emailKey, isEmail, toAsciiEmail } from '@svc/kit/addresses'
import { email } from '@svc/kit/schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('the reader of email addresses', () => {
  test.each([
    ['paciente@clínica.es', 'paciente@xn--clnica-4va.es'],
    ['paciente@xn--clnica-4va.es', 'paciente@xn--clnica-4va.es'],
    ['иван@пример.рф', null],
    ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@مثال.إختبار', 'a@xn--mgbh0fb.xn--kgbechtv'],
    ['a@straße.de', 'a@xn--strae-oqa.de'],
    ['o\'neill+x@mail.example.ie', 'o\'neill+x@mail.example.ie'],
    ['a@EXAMPLE.com', 'a@example.com']
  ])('reads %s as %s for mail servers', (typed, ascii) => expect(toAsciiEmail(typed)).toBe(ascii))

  test.each([
    '', '@', 'a', 'a@', '@x.es', 'a@x', 'a@@x.es', 'a b@x.es', 'a@x..es', '.a@x.es', 'a.@x.es', 'a..b@x.es',
    'a@-x.es', 'a@1.2.3.4', 'a@[1.2.3.4]', 'a@x.es/y', 'a@x.es:25', 'a@x.es, b@x.es', 'a@x%2ees',
    'a@x.es?y', 'b@a@x.es', 'a@x.1', `a@${'x'.repeat(64)}.es`, `${'a'.repeat(65)}@x.es`, 'a@x_y.es', 'a@x.es#'
  ])('refuses %j', typed => expect(isEmail(typed)).toBe(false))

  test('removes surrounding and invisible characters, and keeps the rest as typed', () => {
    expect(email.parse(' A.B@EXAMPLE.com ')).toBe('A.B@EXAMPLE.com')
    expect(email.parse('\u200Bana\u200B@clínica.es\uFEFF\u00A0')).toBe('ana@clínica.es')
    expect(cleanEmail('ana@cli\u0301nica.es')).toBe('ana@clínica.es')
    expect(email.safeParse('x').error?.issues).toMatchObject([{ format: 'email', message: 'Must be an email address.' }])
  })

  test('gives two spellings of one address the same key, so that each finds the other', () => {
    expect(emailKey('Ana@Clínica.ES ')).toBe(emailKey('ana@xn--clnica-4va.es'))
    expect(emailForms('Ana@Clínica.es')).toEqual(['ana@xn--clnica-4va.es', 'ana@clínica.es'])
    expect(emailForms('ana@xn--clnica-4va.es')).toEqual(['ana@xn--clnica-4va.es', 'ana@clínica.es'])
    expect(emailForms('ana@example.es')).toEqual(['ana@example.es'])
    expect(emailForms(' admin ')).toEqual(['admin'])
  })

  test('converts the domain as Node does', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-zñçéßдж例あة]{1,12}\.[a-zñ例]{2,6}$/u), (domain) => {
      const ascii = toAsciiEmail(`a@${domain}`)
      if (ascii !== null) expect(ascii).toBe(`a@${domainToASCII(domain)}`)
    }))
  })

  test('never throws, and refuses any text that would be two addresses', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      if (isEmail(text)) expect(text).not.toMatch(/[\s,;<>"()]/)
    }))
  })
})
