import * as z from 'zod'
import { previewClinicChange } from '#host/server/core/clinics/clinic.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { withChangedMembers } from '#host/server/core/settings/clinic-members.ts'
import { ClinicChange, ClinicEffect } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'What a change of the settings would do to the clinic\'s data. Changes nothing.',
  body: ClinicChange,
  response: z.array(ClinicEffect),
  schemas: registry => ({ body: withChangedMembers(ClinicChange, registry) }),
  problems: ['precondition_failed', 'currency_locked', 'setting_vetoed', 'module_errored'],
  handle: ({ body, request }, host) =>
    previewClinicChange(host, { id: clinicOf(request), change: body, if_match: request.headers['if-match'] })
})
