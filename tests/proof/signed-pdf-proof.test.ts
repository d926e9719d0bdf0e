import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  ACCEPTANCE,
  aProfessional,
  aTreatment,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../support/builders.ts'
import { aDrawing } from '../support/documents/budget-document.ts'
import type { Caller } from '../support/caller.ts'
import { documentsOf, hex, type Documents } from '../support/documents/documents.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { aPdfDesk, withPoppler } from '../support/documents/pdf-tools.ts'

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']
const CURRENCIES = ['EUR', 'JPY', 'KWD', 'CHF', 'SAR']
const NAMES = [
  ['Lucía', 'Muñoz'],
  ['محمد', 'عبد الله العلي'],
  ['Ελένη', 'Παπαδοπούλου'],
  ['Ярослава', 'Мельник-Ковальчук'],
  ['<b>{{total}}', '(\\) 漢字 🦷'],
  ['Jean-François de La', 'Rochefoucauld-Montmorency-Laval '.repeat(3).trim()]
]
const SIGNATURES = [
  { method: 'click' },
  { method: 'typed' },
  { method: 'drawn', image: `data:image/png;base64,${aDrawing().toString('base64')}` }
]

let instance: Instance
let docs: Documents
const desk = aPdfDesk()
beforeAll(async () => {
  instance = await anInstance()
  docs = await documentsOf(instance)
})
afterAll(async () => {
  await instance.close()
  desk.close()
})

const storedAt = async (id: string) => join(instance.storage, 'documents', (await docs.rowOf(id)).signed_pdf_key)

/** `npm run test:load` sets fifty. */
const COUNT = process.env.LOAD ? 50 : 12

describe(`${COUNT} different budgets`, () => {
  /** A clinic for each currency, with a member who writes its budgets. */
  async function desks() {
    return await Promise.all(CURRENCIES.map(async (currency, at) => {
      const clinic = at === 0 ? instance.clinic : await instance.anotherClinic()
      await instance.sql`update core_clinic set currency = ${currency}, locale = ${LANGUAGES[at]!} where id = ${clinic.id}`
      const staff = await instance.as('admin', clinic)
      const treatment = await aTreatment(staff, {
        unit_price: currency === 'JPY' ? '12500' : '99.90',
        name: { en: 'Filling', es: 'Empaste', ar: 'حشوة ضوئية', de: 'Füllung' }
      })
      return { staff, treatment, professional: await aProfessional(instance, clinic, 'Élise O’Brien') }
    }))
  }
  type Desk = Awaited<ReturnType<typeof desks>>[number]

  async function accepted(at: number, { staff, treatment, professional }: Desk): Promise<string> {
    const [first_name, last_name] = NAMES[at % NAMES.length]!
    const patient = (await staff.post('/api/v1/clinical/patients', { first_name, last_name })).body.data
    const items = Array.from({ length: 1 + Math.round((59 * at) / (COUNT - 1)) }, (_, line) => ({
      treatment_id: treatment.id,
      quantity: 1 + (line % 7),
      tooth: line % 2 ? '16' : undefined
    }))
    const discount = at % 2 ? { global_discount: { type: 'percent', value: '7.5' } } : {}
    const draft = await staff.post(BUDGETS, {
      patient_id: patient.id,
      professional_id: professional.id,
      items,
      ...discount,
      patient_notes: at % 3 ? null : 'Una nota.\nملاحظة (1).'
    })
    expect(draft.status, JSON.stringify(draft.body)).toBe(201)
    const { id, number } = draft.body.data
    const sent = (await staff.post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '482913' })).body.data
    const token = sent.url.split('/').at(-1)
    const budget: SentBudget = {
      id,
      number,
      token,
      url: sent.url,
      code: '482913',
      base: `/api/v1/public/budgets/${token}`
    }
    const patientsBrowser = await aVerifiedPatient(instance, budget)
    const body = { ...ACCEPTANCE, signer_name: `${first_name} ${last_name}`, signature: SIGNATURES[at % 3] }
    const answer = await patientsBrowser.post(`${budget.base}/accept?locale=${LANGUAGES[at % 6]}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return id
  }

  withPoppler(
    'have each a seal that a foreign program finds valid, over the whole file',
    { timeout: 120_000 },
    async () => {
      const places = await desks()
      const ids = await Promise.all(Array.from({ length: COUNT }, (_, at) => accepted(at, places[at % places.length]!)))
      await eventually(
        async () => (await Promise.all(ids.map(docs.rowOf))).every(row => row.signed_pdf_status === 'ready'),
        'the last of them',
        { within: 100_000, every: 200 }
      )
      const reports = []
      for (const id of ids) {
        const { valid, whole, named } = await desk.seal(readFileSync(await storedAt(id)))
        reports.push({ id, valid, whole, named })
      }
      expect(reports).toEqual(ids.map(id => ({ id, valid: true, whole: true, named: true })))
      expect(new Set((await Promise.all(ids.map(docs.rowOf))).map(row => row.signed_pdf_sha256)).size).toBe(COUNT)
    }
  )
})

describe('a byte that changes', () => {
  let budget: SentBudget
  let staff: Caller
  let patient: Caller
  let bytes: Buffer
  let file: string
  beforeAll(async () => {
    staff = await instance.as('admin');
    ({ budget, patient } = await docs.anAcceptedBudget({ ...ACCEPTANCE, signature: SIGNATURES[2]! }))
    file = await storedAt(budget.id)
    bytes = readFileSync(file)
  })

  const contents = () => bytes.indexOf('/Contents <') + '/Contents <'.length
  const place = (text: string, shift = 0) => () => {
    expect(bytes.includes(text), text).toBe(true)
    return bytes.indexOf(text) + shift
  }
  const PLACES: [string, () => number][] = [
    ['header', () => 5],
    ['content of a page', place('stream\n', 40)],
    ['title', place('/Title', 12)],
    ['metadata', place('<dc:title>', 60)],
    ['byte range', place('/ByteRange', 16)],
    ['date of the signature', place('/M (D:', 8)],
    ['signature, its first byte', contents],
    ['signature, inside', () => contents() + 1500],
    ['signature, its unused space', () => bytes.indexOf('>', contents()) - 1],
    ['signature, its bracket', () => bytes.indexOf('>', contents())],
    ['table of objects', () => bytes.lastIndexOf('\nxref\n') + 30],
    ['trailer', () => bytes.lastIndexOf('trailer') + 12],
    ['last byte', () => bytes.length - 1],
    ...Array.from({ length: 12 }, (_, at): [string, () => number] => [
      `one in ${at + 1}/13`,
      () => Math.floor((bytes.length * (at + 1)) / 13)
    ])
  ]

  function changedAt(at: number): Buffer {
    const changed = Buffer.from(bytes)
    changed[at] = changed[at]! ^ 1
    return changed
  }

  withPoppler.each(PLACES)(
    'in the %s breaks the seal, the fingerprint, the download and the check page alike, and doctor names the document',
    async (_, where) => {
      const changed = changedAt(where())
      expect(changed.equals(bytes)).toBe(false)
      const { valid, whole, named, report } = await desk.seal(changed)
      expect(valid && whole && named, report).toBe(false)

      await instance.sql`delete from core_rate_limit`
      expect(
        (await instance.anonymous().post('/api/v1/public/documents/check', { sha256: hex(changed) })).body.data.match
      ).toBe(false)

      const module = instance.runtime.host.registry.get('budget')!
      try {
        writeFileSync(file, changed)
        for (const answer of [
          await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`),
          await patient.get(`${budget.base}/pdf/signed`)
        ]) {
          expect([answer.status, answer.body.code]).toEqual([500, 'fingerprint_mismatch'])
        }
        const findings = (await module.definition.doctor!(module.ctx)).filter(
          finding => finding.code === 'fingerprint_mismatch'
        )
        expect(findings.map(finding => finding.object)).toEqual([`${budget.number} v1`])
      } finally {
        writeFileSync(file, bytes)
      }
    }
  )

  withPoppler('put back makes all of them right again', async () => {
    expect(await desk.seal(readFileSync(file))).toMatchObject({ valid: true, whole: true, named: true })
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).bytes.equals(bytes)).toBe(true)
    const module = instance.runtime.host.registry.get('budget')!
    expect(
      (await module.definition.doctor!(module.ctx)).filter(finding => finding.code === 'fingerprint_mismatch')
    ).toEqual([])
  })
})
