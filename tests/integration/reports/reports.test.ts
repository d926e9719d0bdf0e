import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'

const REPORT = '/api/v1/reports/acceptance'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  await loadDocuments()
})
afterAll(() => instance.close())

const report = async (query = '') => (await (await instance.as('admin')).get(`${REPORT}${query}`)).body.data

/** Guards prevent changes of stored budgets. A test that needs another day changes the times with the guards off. */
async function sentAt(id: string, at: string, decided_after = '0 hours') {
  await instance.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update budget set sent_at = ${at}::timestamptz, decided_at = case when decided_at is null then null else ${at}::timestamptz + ${decided_after}::interval end where id = ${id}`
  })
}

async function issuedAt(id: string, at: string) {
  await instance.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update billing_invoice set issued_at = ${at}::timestamptz where id = ${id}`
  })
}

async function decided(decision: 'accept' | 'reject', at: string, after: string, reason_code?: string) {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.get(budget.base)
  const body = decision === 'accept' ? ACCEPTANCE : { reason: 'No', ...(reason_code ? { reason_code } : {}) }
  expect((await patient.post(`${budget.base}/${decision}`, body)).status).toBe(200)
  await sentAt(budget.id, at, after)
  return budget
}

describe('the acceptance report', () => {
  it('counts the results of the budgets sent in each month, with amounts, median hours and reasons', async () => {
    await decided('accept', '2026-03-10T10:00Z', '2 hours')
    await decided('accept', '2026-03-20T10:00Z', '10 hours')
    await decided('reject', '2026-03-21T10:00Z', '4 hours', 'price')
    await decided('reject', '2026-05-01T10:00Z', '1 hour', 'price')
    await decided('reject', '2026-05-02T10:00Z', '3 hours')
    await sentAt((await aSentBudget(instance)).id, '2026-05-03T10:00Z')
    await eventually(async () => (await instance.sql`select 1 from billing_invoice`).length === 2, 'both invoices')
    await instance.sql`update billing_invoice set created_at = '2026-04-02T10:00Z'`
    const [invoice] = await instance.sql`select id from billing_invoice limit 1`
    expect((await (await instance.as('admin')).post(`/api/v1/billing/invoices/${invoice!.id}/issue`)).status).toBe(200)
    await issuedAt(invoice!.id as string, '2026-04-20T10:00Z')

    const { months, totals, reasons, ...about } = await report('?from=2026-03-01&to=2026-05-31')
    expect(about).toEqual({ from: '2026-03-01', to: '2026-05-31', currency: 'EUR', time_zone: 'Europe/Madrid' })
    expect(months).toEqual([
      {
        month: '2026-03',
        sent: 3,
        viewed: 3,
        accepted: 2,
        rejected: 1,
        sent_amount: '363.00',
        accepted_amount: '242.00',
        withdrawn: 0,
        withdrawn_amount: '0.00',
        offered_amount: '0.00',
        taken_share: null,
        invoices: 0,
        invoiced_amount: '0.00',
        invoice_drafts: 0,
        advances: 0,
        advances_amount: '0.00',
        advances_balance: '0.00',
        median_hours: 4
      },
      {
        month: '2026-04',
        sent: 0,
        viewed: 0,
        accepted: 0,
        rejected: 0,
        sent_amount: '0.00',
        accepted_amount: '0.00',
        withdrawn: 0,
        withdrawn_amount: '0.00',
        offered_amount: '0.00',
        taken_share: null,
        invoices: 1,
        invoiced_amount: '121.00',
        invoice_drafts: 1,
        advances: 0,
        advances_amount: '0.00',
        advances_balance: '0.00',
        median_hours: null
      },
      {
        month: '2026-05',
        sent: 3,
        viewed: 2,
        accepted: 0,
        rejected: 2,
        sent_amount: '363.00',
        accepted_amount: '0.00',
        withdrawn: 0,
        withdrawn_amount: '0.00',
        offered_amount: '0.00',
        taken_share: null,
        invoices: 0,
        invoiced_amount: '0.00',
        invoice_drafts: 0,
        advances: 0,
        advances_amount: '0.00',
        advances_balance: '0.00',
        median_hours: 2
      }
    ])
    expect(totals).toEqual({
      sent: 6,
      viewed: 5,
      accepted: 2,
      rejected: 3,
      sent_amount: '726.00',
      accepted_amount: '242.00',
      withdrawn: 0,
      withdrawn_amount: '0.00',
      offered_amount: '0.00',
      taken_share: null,
      invoices: 1,
      invoiced_amount: '121.00',
      invoice_drafts: 1,
      advances: 0,
      advances_amount: '0.00',
      advances_balance: '0.00',
      median_hours: 3
    })
    expect(reasons).toEqual([{ reason_code: 'price', count: 2 }, { reason_code: null, count: 1 }])
  })

  it('counts a budget that was decided in the clinic as viewed, although its link was never opened', async () => {
    const { id } = await aSentBudget(instance)
    const path = `/api/v1/budget/budgets/${id}/accept-in-clinic`
    expect((await (await instance.as('admin')).post(path, ACCEPTANCE)).status).toBe(200)
    await sentAt(id, '2024-06-10T10:00Z', '1 hour')
    expect((await report('?from=2024-06-01&to=2024-06-30')).totals).toMatchObject({ sent: 1, viewed: 1, accepted: 1 })
  })

  it('uses days and months in the clinic\'s zone, including both ends', async () => {
    // 23:30 on 31 January in UTC is 00:30 on 1 February in Madrid.
    await sentAt((await aSentBudget(instance)).id, '2025-01-31T23:30Z')
    expect((await report('?from=2025-02-01&to=2025-02-01')).months).toMatchObject([{ month: '2025-02', sent: 1 }])
    expect((await report('?from=2025-01-01&to=2025-01-31')).totals.sent).toBe(0)
  })

  it('lists advances separately, by the month of payment, without returned amounts', async () => {
    const staff = await instance.as('admin')
    const { id } = await aSentBudget(instance)
    const pay = async (amount: string, paid_at: string) => {
      const { body } = await staff.post('/api/v1/billing/advances', { budget_id: id, amount, method: 'cash', paid_at })
      return body.data.id as string
    }
    await pay('10.00', '2024-03-31T21:30:00Z')
    // 23:30 on 31 March in UTC is 1 April in Madrid.
    const returned = await pay('20.00', '2024-03-31T23:30:00Z')
    await pay('40.00', '2024-04-30T10:00:00Z')
    await staff.post(`/api/v1/billing/advances/${returned}/reverse`, { amount: '5.00', reason: 'A part.' })
    const { months, totals } = await report('?from=2024-03-01&to=2024-04-30')
    expect(months).toMatchObject([
      { month: '2024-03', advances: 1, advances_amount: '10.00', advances_balance: '10.00' },
      { month: '2024-04', advances: 2, advances_amount: '55.00', advances_balance: '55.00' }
    ])
    expect(totals).toMatchObject({ advances: 3, advances_amount: '65.00', invoiced_amount: '0.00' })
  })

  it('covers twelve months by default, and only the caller\'s clinic', async () => {
    const stranger = await instance.as('admin', await instance.anotherClinic())
    const { body } = await stranger.get(REPORT)
    expect(body.data.months).toHaveLength(12)
    expect(body.data.totals).toMatchObject({ sent: 0, median_hours: null })
    expect(body.data.reasons).toEqual([])
  })

  it('excludes a version that a revision replaced', async () => {
    const staff = await instance.as('admin')
    const before = (await report()).totals.sent
    const { id } = await aSentBudget(instance)
    const revision = (await staff.post(`/api/v1/budget/budgets/${id}/revise`)).body.data
    expect(
      (await staff.post(`/api/v1/budget/budgets/${revision.id}/send`, { channel: 'manual', code: '482913' })).status
    ).toBe(200)
    expect((await report()).totals.sent).toBe(before + 1)
  })

  it('refuses a period that ends before it begins, is too long, or has an invalid day: 422', async () => {
    const staff = await instance.as('admin')
    for (const query of [
      '?from=2026-02-01&to=2026-01-01',
      '?from=1999-01-01&to=2026-01-01',
      '?from=2026-02-30',
      '?month=2026-01'
    ]) {
      expect((await staff.get(`${REPORT}${query}`)).status, query).toBe(422)
    }
  })

  it('needs reports.read: 403', async () => {
    const { status, body } = await (await instance.as('receptionist')).get(REPORT)
    expect([status, body.detail]).toEqual([403, 'Permission denied: reports.read'])
  })

  it('belongs to a module without tables, which has no applied revision', async () => {
    const [row]
      = await instance.sql`select state, applied_revision, error_message from core_module where name = 'reports'`
    expect(row).toEqual({ state: 'installed', applied_revision: null, error_message: null })
  })
})
