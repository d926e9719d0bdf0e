import { defineEndpoint, reply } from '@svc/kit'
import { exportPatients } from '#clinical/server/services/export-patients.ts'
import { PatientExportQuery } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'Get the list of patients as CSV, as the import takes it.',
  query: PatientExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportPatients(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
