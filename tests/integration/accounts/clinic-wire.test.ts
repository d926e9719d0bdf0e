import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

/** Responses of v0.2.0, by the name of the call. These settings were columns of the clinic then. */
const FILE = join(import.meta.dirname, '../../fixtures/clinic-wire-0.2.0.json')
const KEPT = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, { status: number, etag: string | null, text: string }>

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const REMINDERS = { enabled: true, days: [21, 3], quiet_from: '22:00' }
const CALLS: [name: string, change: object | null][] = [
  ['GET of a new clinic', null],
  ['PATCH of nothing', {}],
  ['PATCH of the clinic alone', { phone: '+34 910 000 000', accent_color: '#0f766e' }],
  ['PATCH of all moved members', {
    tooth_notation: 'palmer', budget_validity_days: 45, payment_days: 10, reminders: REMINDERS
  }],
  ['PATCH of a part of the reminders', { reminders: { days: [5] } }],
  ['PATCH of both kinds', { name: 'Clínica Mar', payment_days: null, retention: { audit_months: null } }],
  ['GET after the changes', null],
  ['PATCH with wrong values', { budget_validity_days: 0, payment_days: 366, tooth_notation: 'none' }],
  ['PATCH with a wrong day', { reminders: { days: [0] } }],
  ['PATCH with an unknown part', { reminders: { since: 1 } }],
  ['PATCH with an unknown member', { teeth: 'fdi' }],
  ['GET after the refusals', null]
]

test('GET and PATCH of the clinic return the same bytes as v0.2.0', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const wire = ({ status, headers, bytes, body }: Answer) => ({
    status,
    etag: headers.get('etag'),
    text: bytes.toString().replaceAll(clinic.id, '<clinic>').replaceAll(String(body.request_id), '<request>')
  })
  const answers: typeof KEPT = {}
  for (const [name, change] of CALLS) {
    const path = '/api/v1/clinic'
    answers[name] = wire(await (change ? admin.patch(path, change) : admin.get(path)))
  }
  expect(answers).toEqual(KEPT)
})
