import { PNG } from 'pngjs'
import { layOut } from '@svc/sheet/layout/lay-out.ts'
import { renderSheet } from '@svc/sheet/pdf/render.ts'
import { placeOf } from '../../../layers/budget/shared/domain/teeth.ts'
import { budgetSheet } from '../../../layers/budget/server/pdf/budget-sheet.ts'
import type { BudgetDocument, DocumentDecision, DocumentLine } from '../../../layers/budget/server/pdf/document.ts'

/** `count` treatments; every second one is discounted. */
export function someLines(count: number, fields: Partial<DocumentLine> = {}): DocumentLine[] {
  return Array.from({ length: count }, (_, index) => {
    const original_price = 10_000n + BigInt(index) * 731n
    return {
      name: `Tratamiento ${index + 1}`,
      place: placeOf({}),
      note: null,
      quantity: 1,
      original_price,
      price: index % 2 ? (original_price * 9n) / 10n : original_price,
      ...fields
    }
  })
}

/** The contents of a PDF, with the totals of its lines. */
export function aDocument(fields: Partial<BudgetDocument> = {}): BudgetDocument {
  const items = fields.items ?? someLines(3)
  const original = items.reduce((sum, line) => sum + line.original_price, 0n)
  const total = items.reduce((sum, line) => sum + line.price, 0n)
  return {
    locale: 'es',
    time_zone: 'Europe/Madrid',
    clinic: {
      name: 'Clínica Peñalver',
      address: 'Calle Mayor 1\n28013 Madrid',
      phone: '+34 910 000 000',
      email: null,
      accent_color: null,
      logo: null
    },
    number: 'PRES-2026-0042',
    version: 1,
    status: 'sent',
    patient_name: 'María José Núñez',
    professional_name: 'Elena Vidal',
    professional_license: null,
    valid_until: '2026-06-04',
    dated_at: new Date('2026-05-05T10:00:00Z'),
    currency: 'EUR',
    items,
    choices: [],
    range: null,
    tooth_notation: 'fdi',
    deciduous: false,
    totals: { original, discount: original - total, tax: total / 10n, total },
    notes: null,
    clauses: [],
    decision: null,
    ...fields
  }
}

export function aDecision(fields: Partial<DocumentDecision> = {}): DocumentDecision {
  return {
    signer_name: 'María José Núñez',
    relationship: 'patient',
    method: 'click',
    image: null,
    decided_at: new Date('2026-05-06T16:21:07Z'),
    decided_via: 'remote_link',
    consent: 'He leído este presupuesto de Clínica Peñalver y lo acepto por 100,00\u00A0€.',
    content_digest: 'a3f1c0de'.repeat(8),
    check_url: 'https://clinic.test/verify',
    ...fields
  }
}

/** A stroke on a transparent background. */
export function aDrawing(width = 300, height = 100): Buffer {
  const png = new PNG({ width, height })
  for (let x = 10; x < width - 10; x++) {
    const y = Math.round(height / 2 + (height / 4) * Math.sin(x / 15))
    for (const dy of [-1, 0, 1]) png.data.set([20, 30, 60, 255], ((y + dy) * width + x) * 4)
  }
  return PNG.sync.write(png)
}

export const layOutBudget = (document: BudgetDocument) => layOut(budgetSheet(document), document.clinic)

export const renderBudget = (document: BudgetDocument) => renderSheet(budgetSheet(document), document.clinic)
