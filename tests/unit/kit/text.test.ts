import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import { CancelInvoiceRequest, PaymentRequest } from '../../../layers/billing/shared/contract.ts'
import { CancelRequest, CreateRequest, ItemInput } from '../../../layers/budget/shared/staff.ts'
import { SendRequest, UnlockRequest } from '../../../layers/budget/shared/link.ts'
import { RejectRequest } from '../../../layers/budget/shared/public.ts'
import { TreatmentChange } from '../../../layers/catalog/shared/contract.ts'
import { PatientChange } from '../../../layers/clinical/shared/contract.ts'
import { ClinicChange } from '../../../shared/clinic.ts'

const DIRECTION = 'Must not contain characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069).'
const CONTROLS = 'Must not contain control characters.'
const ID = '00000000-0000-4000-8000-000000000000'

/** Every text of several lines that people send, with its place in the request body. */
const AREAS: [string, z.ZodType, (text: string) => unknown, string][] = [
  ['the reason of a patient', RejectRequest, text => ({ reason: text }), '/reason'],
  ['the reason of a cancellation', CancelRequest, text => ({ reason: text }), '/reason'],
  ['the message of a link', SendRequest, text => ({ channel: 'email', message: text }), '/message'],
  ['the reason of an unlock', UnlockRequest, text => ({ reason: text }), '/reason'],
  [
    'notes for the patient',
    CreateRequest,
    text => ({ patient_id: ID, items: [], patient_notes: text }),
    '/patient_notes'
  ],
  ['internal notes', CreateRequest, text => ({ patient_id: ID, items: [], internal_notes: text }), '/internal_notes'],
  ['notes of a line', ItemInput, text => ({ treatment_id: ID, notes: text }), '/notes'],
  ['notes about a patient', PatientChange, text => ({ notes: text }), '/notes'],
  ['the description of a treatment', TreatmentChange, text => ({ description: { en: text } }), '/description/en'],
  ['the note of a payment', PaymentRequest, text => ({ amount: '1.00', method: 'cash', note: text }), '/note'],
  ['the reason of a cancelled invoice', CancelInvoiceRequest, text => ({ reason: text }), '/reason'],
  ['the address of a clinic', ClinicChange, text => ({ address: text }), '/address']
]

function refusals(schema: z.ZodType, body: unknown) {
  const issues = schema.safeParse(body).error?.issues ?? []
  return issues.map(({ path, message }) => [`/${path.join('/')}`, message])
}

describe.each(AREAS)('%s', (_, schema, body, pointer) => {
  test.each(['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'refuses the bidirectional control %j',
    (character) => {
      expect(refusals(schema, body(`Total ${character}00.1`))).toEqual([[pointer, DIRECTION]])
    }
  )

  test('refuses control characters, except tabs and line breaks', () => {
    for (const character of ['\u0007', '\u001B', '\u0085'])
      expect(refusals(schema, body(`a${character}b`))).toEqual([[pointer, CONTROLS]])
    expect(refusals(schema, body('Two\r\nlines,\n\tand a tab.'))).toEqual([])
  })

  test('keeps the marks that right-to-left text needs', () => {
    expect(refusals(schema, body('التاج \u200F(26)\u200E، می\u200Cخواهم \u061C12'))).toEqual([])
  })
})

test('a name has one line, a text can have several, and both must have a visible character', () => {
  expect(refusals(z.string().check(singleLine), 'Ana\nRuiz')).toEqual([['/', CONTROLS]])
  expect(refusals(z.string().check(multiLine), 'Ana\nRuiz')).toEqual([])
  expect(refusals(z.string().check(visible), '\u3164')).toEqual([['/', 'Must not be empty.']])
})
