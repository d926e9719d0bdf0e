import { afterAll, beforeAll, expect } from 'vitest'
import { ACCEPTANCE, BUDGETS, eventually } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { documentsOf } from '../../../support/documents/documents.ts'
import { INVOICES } from '../../../support/documents/invoices.ts'
import { aPdfDesk, withPoppler } from '../../../support/documents/pdf-tools.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { aCatalog, cheap, dear, idsOf, offers, openOffer, type Treatments } from '../../../support/offers.ts'

let instance: Instance
let staff: Caller
let treatments: Treatments
const desk = aPdfDesk()
const { offer } = offers(() => treatments)
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  treatments = await aCatalog(staff)
})
afterAll(async () => {
  await instance.close()
  desk.close()
})

withPoppler('of fifty parallel accepts with different selections one wins, and every place shows its selection', async () => {
  const docs = await documentsOf(instance)
  const { budget, patient, view, price } = await openOffer(
    instance,
    offer({ global_discount: { type: 'amount', value: '30.00' } })
  )
  const ids = idsOf(await view())
  const asked = await Promise.all([cheap(ids), dear(ids)].map(async selection => ({
    selection,
    priced: (await price(selection)).body.data
  })))
  const answers = await Promise.all(Array.from({ length: 50 }, async (_, index) => {
    const { selection, priced } = asked[index % 2]!
    const body = { ...ACCEPTANCE, selection, content_digest: priced.content_digest }
    return { ...asked[index % 2]!, answer: await patient.post(`${budget.base}/accept?locale=en`, body) }
  }))
  const winners = answers.filter(({ answer }) => answer.status === 200)
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ answer }) => answer.body.code === 'already_decided')).toHaveLength(49)

  const [{ selection, priced }] = winners as [typeof winners[0]]
  const total = priced.total as string
  expect(await view()).toMatchObject({ selection, totals: { total }, content_digest: priced.content_digest })
  const detail = (await staff.get(`${BUDGETS}/${budget.id}`)).body.data
  expect(detail).toMatchObject({ selection, totals: { total }, proof_faults: [] })
  const [record] = await instance.sql`select content, consent_text from budget_signature where budget_id = ${budget.id}`
  expect(JSON.parse(record!.content)).toMatchObject({ selection, totals: { total } })
  expect(record!.consent_text).toContain(total)
  const [event] = await instance.sql`
    select payload from core_event where name = 'budget.accepted' and payload->>'budget_id' = ${budget.id}`
  expect(event!.payload).toMatchObject({ selection, total })

  const invoice = await eventually(
    async () => (await staff.get(`${INVOICES}?budget_id=${budget.id}`)).body.data[0],
    'an invoice draft'
  )
  expect(invoice.total).toBe(total)
  const { totals } = (await staff.get('/api/v1/reports/acceptance')).body.data
  expect(totals).toMatchObject({ accepted_amount: total, offered_amount: '420.00' })
  expect(totals.taken_share).toBeCloseTo(Number(total) / 420, 3)

  await docs.isReady(budget.id)
  const pdf = await patient.get(`${budget.base}/pdf/signed`)
  const text = await desk.text(pdf.bytes)
  expect(text).toContain(total)
  expect(text).toContain('Offered and not chosen')
  const taken = Object.values(selection)
  const left = detail.choices.flatMap(({ options }: any) => options).filter(({ id }: any) => !taken.includes(id))
  for (const option of left) expect(text.split('Offered and not chosen')[1]).toContain(option.title)
})
