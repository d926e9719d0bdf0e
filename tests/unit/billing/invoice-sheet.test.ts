import { describe, expect, it } from 'vitest'
import { reasonOfIssued } from '../../../layers/billing/server/services/issuer.ts'
import { PRO_FORMA_REASONS } from '../../../layers/billing/shared/domain/document-title.ts'
import { invoiceSheet, issuerLines } from '../../../layers/billing/server/pdf/invoice-sheet.ts'

type Input = Parameters<typeof invoiceSheet>[0]

const ISSUER = { name: 'Sol', address: 'Calle Mayor 1', phone: null, email: null, tax_number: 'B1' }

function aSheet({
  locale = 'en',
  paid = 0n,
  pro_forma = false,
  recipient = null,
  notes,
  credits,
  advances,
  ...fields
}: Partial<Omit<Input['invoice'], 'issuer' | 'recipient'> & Pick<Input, 'paid' | 'advances' | 'pro_forma' | 'recipient' | 'notes'> & { credits: Input['credited'] }> = {}) {
  const invoice = {
    number: 'INV-2026-0042',
    kind: 'invoice',
    credited: 0n,
    credit_reason: null,
    status: 'issued',
    budget_number: 'PRES-2026-0007',
    patient_first_name: 'Lucía',
    patient_last_name: 'Muñoz',
    currency: 'EUR',
    locale,
    total: 19_214n,
    issued_on: '2026-11-20',
    updated_at: new Date('2026-11-20T10:00Z'),
    cancelled_at: null,
    ...fields
  } as Input['invoice']
  const lines = [
    { name: { en: 'Filling', es: 'Empaste' }, quantity: 1, vat: 2100, price: 10_890n, tax: 1890n },
    { name: { en: 'Crown', es: 'Corona' }, quantity: 3, vat: 0, price: 8324n, tax: 0n }
  ] as unknown as Input['lines']
  return invoiceSheet({ invoice, lines, paid, advances, notes, credited: credits, pro_forma, recipient, locale, time_zone: 'Europe/Madrid' })
}

describe('the PDF of an invoice', () => {
  it('has each line with its VAT, the total of each rate, and the amount due', () => {
    const { rows, sums } = aSheet({ paid: 5000n })
    expect(rows).toEqual([['Filling', '1', '21%', '€90.00', '€108.90'], ['Crown', '3', '0%', '€83.24', '€83.24']])
    expect(sums).toEqual({
      above: [['Net at 0%', '€83.24'], ['VAT 0%', '€0.00'], ['Net at 21%', '€90.00'], ['VAT 21%', '€18.90']],
      total: ['Total', '€192.14'], below: [['Paid', '€50.00'], ['Due', '€142.14']], remark: null
    })
  })

  it('lists the advances used with their dates, the other payments, and the rest of the advance', () => {
    const advances = [
      { paid_at: new Date('2026-10-31T23:30Z'), applied: 5000n, balance: 0n },
      { paid_at: new Date('2026-11-05T10:00Z'), applied: 1000n, balance: 250n }
    ]
    const inAdvance = [['Paid in advance, November 1, 2026', '€50.00'], ['Paid in advance, November 5, 2026', '€10.00']]
    expect(aSheet({ paid: 6000n, advances }).sums).toMatchObject({
      below: [...inAdvance, ['Due', '€132.14']],
      remark: 'Advance not used yet: €2.50'
    })
    expect(aSheet({ paid: 8000n, advances }).sums.below).toEqual([...inAdvance, ['Paid', '€20.00'], ['Due', '€112.14']])
  })

  it.each([
    [
      'draft',
      { number: null, issued_on: null },
      [null, 'Draft', 'DRAFT: this is not an invoice yet. It has no number.', 'Not issued yet']
    ],
    ['issued', {}, [null, 'INV-2026-0042', null, 'November 20, 2026']],
    ['paid', {}, ['Paid', 'INV-2026-0042', null, 'November 20, 2026']],
    [
      'cancelled',
      { cancelled_at: new Date('2026-12-31T23:30Z') },
      [
        'Cancelled',
        'INV-2026-0042',
        'CANCELLED on January 1, 2027: nothing is due on this invoice.',
        'November 20, 2026'
      ]
    ]
  ] as const)('has the right state, number, banner and date when it is %s', (status, fields, expected) => {
    const { state, number, banner, short } = aSheet({ status, ...fields })
    expect([state, number, banner, short[0]![1]]).toEqual(expected)
  })

  it('has its own words in each of the six languages', () => {
    const words = ['en', 'es', 'fr', 'de', 'pt', 'ar'].map((locale) => {
      const { title, columns, banner } = aSheet({ locale, status: 'draft', number: null, issued_on: null })
      return [title, columns[1]!.title, banner].join()
    })
    expect(new Set(words).size).toBe(6)
    expect(aSheet({ locale: 'nl' }).title).toBe('Invoice')
  })
})

describe('the PDF of a credit note', () => {
  const NOTE = { kind: 'credit_note', number: 'CN-2026-0003', credit_reason: 'Not done.' } as const
  const CREDITS = { number: 'INV-2026-0042', issued_on: '2026-11-20' }

  it.each([
    ['en', 'Credit note', 'Corrects INV-2026-0042 of November 20, 2026'],
    ['es', 'Factura rectificativa', 'Rectifica INV-2026-0042 de fecha 20 de noviembre de 2026'],
    ['fr', 'Avoir', 'Corrige INV-2026-0042 du 20 novembre 2026'],
    ['de', 'Rechnungskorrektur', 'Korrigiert INV-2026-0042 vom 20. November 2026'],
    ['pt', 'Nota de crédito', 'Corrige INV-2026-0042 de 20 de novembro de 2026']
  ])('in %s is titled "%s", and names the number and date of the invoice', (locale, title, below) => {
    const sheet = aSheet({ ...NOTE, locale, credits: CREDITS })
    expect([sheet.title, sheet.below, sheet.number]).toEqual([title, below, 'CN-2026-0003'])
  })

  it('has the title in Arabic, positive amounts, the reason, and nothing that is due', () => {
    expect(aSheet({ ...NOTE, locale: 'ar', credits: CREDITS }).title).toBe('إشعار دائن')
    const { sums, rows, notes } = aSheet({ ...NOTE, credits: CREDITS })
    expect(notes).toEqual({ title: 'Reason', text: 'Not done.' })
    expect([sums.total, sums.below, sums.remark]).toEqual([['Total', '€192.14'], [], null])
    expect(rows[0]!.at(-1)).toBe('€108.90')
  })

  it('is titled "Pro forma" where no invoice can be issued, and says that it corrects one', () => {
    const sheet = aSheet({ ...NOTE, credits: CREDITS, pro_forma: true, pro_forma_reason: 'verifactu' })
    expect(sheet.title).toBe('Pro forma')
    expect(sheet.below).toBe('Credit note: corrects INV-2026-0042 of November 20, 2026')
  })

  it('is listed on its invoice, whose amount due it takes off', () => {
    const notes = [
      { status: 'issued', number: 'CN-2026-0003', total: 1000n },
      { status: 'draft', number: null, total: 500n }
    ] as const
    expect(aSheet({ credited: 1000n, paid: 5000n, notes: [...notes] }).sums.below).toEqual([
      ['Credit note CN-2026-0003', '-€10.00'], ['Paid', '€50.00'], ['Due', '€132.14']
    ])
  })
})

describe('the head of an invoice\'s PDF', () => {
  it('has the title "Pro forma" and the reason in each language, and none on a pro forma older than the reasons', () => {
    expect([aSheet().title, aSheet().banner]).toEqual(['Invoice', null])
    const older = aSheet({ pro_forma: true })
    expect([older.title, older.banner]).toEqual(['Pro forma', null])
    const banners = ['en', 'es', 'fr', 'de', 'pt', 'ar'].flatMap(locale => PRO_FORMA_REASONS.map(pro_forma_reason =>
      aSheet({ locale, pro_forma: true, pro_forma_reason }).banner))
    expect(new Set(banners).size).toBe(18)
    expect(banners.at(0)).toBe('This document is not an invoice: the clinic’s tax number is missing.')
  })

  it('is a pro forma without a tax number, but an invoice if it is older than that field', () => {
    const issued = (issuer: object | null) =>
      reasonOfIssued({ pro_forma_reason: null, issuer } as Parameters<typeof reasonOfIssued>[0])
    expect(issued({ ...ISSUER, tax_number: null })).toBe('no_tax_number')
    const { tax_number: _none, ...earlier } = ISSUER
    expect([issued(earlier), issued(ISSUER)]).toEqual([null, null])
  })

  it('has the patient\'s address and tax number below the name, and the due date', () => {
    const { named, short } = aSheet({ recipient: { address: 'Calle Sol 2', tax_number: '1Z' }, due_on: '2026-12-20' })
    expect(named).toEqual([['Patient', 'Lucía Muñoz\nCalle Sol 2\nTax number: 1Z']])
    expect(short[1]).toEqual(['Due date', 'December 20, 2026'])
  })

  it('has legal name, address, tax number, registration and insurer below the clinic\'s name, if set', () => {
    const all = { ...ISSUER, legal_name: 'Sol, S. L.', registration: 'CS 1', insurer: 'Ejemplo' }
    expect(issuerLines(all, 'en')).toBe('Sol, S. L.\nCalle Mayor 1\nTax number: B1\nCS 1\nInsurer: Ejemplo')
    expect(issuerLines({ ...ISSUER, tax_number: null }, 'en')).toBe('Calle Mayor 1')
  })
})
