import { describe, expect, it } from 'vitest'
import type { Clinic } from '@svc/kit'
import type { BudgetRow } from '../../../layers/budget/server/db/budgets.ts'
import type { ItemRow } from '../../../layers/budget/server/db/items.ts'
import { contentOf, digestContent } from '../../../layers/budget/server/services/log/content.ts'
import { patientView } from '../../../layers/budget/server/services/budget/patient-view.ts'
import { PatientView } from '../../../layers/budget/shared/contract.ts'

const at = new Date('2026-06-01T10:00:00Z')
const aBudget = (fields: Partial<BudgetRow> = {}) =>
  ({
    id: 'b',
    clinic_id: 'c',
    number: 'PRES-2026-0001',
    version: 1,
    status: 'sent',
    patient_id: 'p',
    patient_first_name: 'Lucía',
    patient_last_name: 'Muñoz',
    professional_id: 'd',
    professional_name: 'Elena Vidal',
    currency: 'EUR',
    locale: 'es',
    time_zone: 'Europe/Madrid',
    valid_until: '2026-06-30',
    expires_at: new Date('2026-06-30T22:00:00Z'),
    original_total: 12100n,
    total: 10890n,
    tax_total: 1890n,
    patient_notes: 'Two visits',
    internal_notes: 'secret',
    created_by: 'u',
    created_at: at,
    updated_at: at,
    sent_at: at,
    viewed_at: null,
    decided_at: null,
    decided_via: null,
    closed_reason: null,
    signed_pdf_status: 'none',
    signed_pdf_sha256: null,
    signed_pdf_key: null,
    edit: 3,
    choices: null,
    price_from: null,
    price_to: null,
    selection: null,
    ...fields
  }) as unknown as BudgetRow
const anItem = (fields: Partial<ItemRow> = {}) =>
  ({
    id: 'i',
    option_id: null,
    treatment_id: 't',
    code: 'F1',
    name: { en: 'Filling', es: 'Empaste' },
    description: { en: 'Composite' },
    tooth: '16',
    surfaces: 'MO',
    note: null,
    quantity: 1,
    unit_price: 10000n,
    vat: 2100,
    notes: 'secret',
    original_price: 12100n,
    price: 10890n,
    tax: 1890n,
    ...fields
  }) as unknown as ItemRow
const clinic = {
  id: 'c',
  name: 'Peñalver',
  phone: '1',
  email: 'a@b.test',
  address: 'Main 1',
  logo_url: null,
  accent_color: '#fff',
  currency: 'EUR',
  ip_policy: 'full'
} as unknown as Clinic
const view = (fields: Partial<Parameters<typeof patientView>[0]> = {}) => {
  const shown = { budget: aBudget(), items: [anItem()], clinic, notation: 'fdi' as const, decision: null, now: at, ...fields }
  return patientView({ ...shown, digest: digestContent(shown.budget, shown.items, clinic.name).digest })
}

const keys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(keys)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, keys(member)]))
      : null

describe('the patient\'s view', () => {
  it('has exactly the members that the specification lists', () => {
    const decided = view({
      budget: aBudget({ status: 'rejected', decided_at: at }),
      decision: { signer_name: 'L. M.', reason: 'price', content_digest: 'a'.repeat(64) }
    })
    for (const shown of [view(), decided]) {
      expect(keys(shown)).toEqual(keys(PatientView.strip().parse(shown)))
      expect(JSON.stringify(shown)).not.toMatch(/secret/)
    }
    expect(Object.keys(view()).sort()).toEqual(
      [
        'number',
        'version',
        'status',
        'clinic',
        'patient',
        'professional',
        'currency',
        'locale',
        'time_zone',
        'valid_until',
        'expires_at',
        'items',
        'totals',
        'patient_notes',
        'viewed_at',
        'decision',
        'signed_pdf',
        'content_digest'
      ].sort()
    )
  })

  it('is in the reader\'s language, otherwise in the budget\'s, otherwise in English', () => {
    expect(view().items[0]).toMatchObject({ name: 'Empaste', description: 'Composite' })
    expect(view({ locale: 'en' }).items[0]!.name).toBe('Filling')
    expect(view({ locale: 'de' }).items[0]!.name).toBe('Empaste')
  })

  it('is expired as soon as the validity has ended', () => {
    expect(view({ now: new Date('2026-06-30T21:59:59.999Z') }).status).toBe('sent')
    expect(view({ now: new Date('2026-06-30T22:00:00Z') }).status).toBe('expired')
  })

  it('strikes a price through if and only if it differs', () => {
    expect(view().items[0]).toMatchObject({ original_price: '121.00', price: '108.90', discounted: true })
    expect(view({ items: [anItem({ price: 12100n })] }).items[0]!.discounted).toBe(false)
  })
})

describe('the content digest', () => {
  const digest = (budget = aBudget(), items = [anItem()], name = clinic.name) =>
    digestContent(budget, items, name).digest

  it('is the SHA-256 of the RFC 8785 text in any language of the reader', () => {
    expect(view({ locale: 'en' }).content_digest).toBe(digest())
    expect(JSON.parse(digestContent(aBudget(), [anItem()], 'Peñalver').text)).toEqual(
      contentOf(aBudget(), [anItem()], 'Peñalver')
    )
  })

  it('uses the exact text of RFC 8785, with members sorted by UTF-16 code units from any original order', () => {
    const name = { '\u20AC': 'Euro', '\r': 'Return', 'en': 'Crown “A”\n', '\uD83D\uDE00': 'Smile', 'Z': '' }
    const { text } = digestContent(aBudget(), [anItem({ name })], 'Peñalver')
    expect(text).toContain('"name":{"\\r":"Return","Z":"","en":"Crown “A”\\n","€":"Euro","😀":"Smile"}')
    expect(Object.keys(JSON.parse(text))).toEqual([
      'clinic', 'currency', 'items', 'number', 'patient', 'patient_notes', 'professional', 'totals', 'valid_until',
      'version'
    ])
  })

  it('changes with the content that is decided on, and with nothing else', () => {
    const same = [
      digest(aBudget({ viewed_at: at, internal_notes: null, edit: 9, status: 'accepted' })),
      digest(aBudget(), [anItem({ notes: null })])
    ]
    const others = [
      digest(aBudget({ total: 1n })),
      digest(aBudget({ patient_notes: null })),
      digest(aBudget({ valid_until: '2026-07-01' })),
      digest(aBudget({ version: 2 })),
      digest(aBudget(), [anItem({ price: 1n })]),
      digest(aBudget(), [anItem({ name: { en: 'Filling', es: 'Otro' } })]),
      digest(aBudget(), []),
      digest(aBudget(), [anItem()], 'Other')
    ]
    expect(new Set([digest(), ...same]).size).toBe(1)
    expect(new Set([digest(), ...others]).size).toBe(others.length + 1)
  })

  it('keeps the clinic\'s name at the time of sending', () => {
    const sent = aBudget({ clinic_name: 'Peñalver' })
    expect(digest(sent, [anItem()], 'Other')).toBe(digest())
    expect(view({ budget: sent, clinic: { ...clinic, name: 'Other', phone: '2' } }).clinic).toMatchObject({
      name: 'Peñalver',
      phone: '2'
    })
  })

  it('equals the recorded one once the budget is decided', () => {
    const decision = { signer_name: 'L. M.', reason: null, content_digest: 'b'.repeat(64) }
    expect(view({ budget: aBudget({ status: 'accepted', decided_at: at }), decision }).content_digest).toBe(
      decision.content_digest
    )
  })
})
