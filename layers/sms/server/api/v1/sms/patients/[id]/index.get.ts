import { defineEndpoint } from '@svc/kit'
import { showPatient } from '#sms/server/services/show-patient.ts'
import { LocaleQuery, PatientMessages } from '#sms/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'sms.read' },
  summary: 'Whether a patient can get text messages, and the newest ones.',
  query: LocaleQuery,
  response: PatientMessages,
  handle: ({ params: { id = '' }, query: { locale = 'en' }, request: { actor } }, ctx) =>
    showPatient(ctx, { clinic_id: actor.clinic_id, id, locale })
})
