import { defineEndpoint, reply } from '@svc/kit'
import { exportTreatments } from '#catalog/server/services/export-treatments.ts'
import { TreatmentExportQuery } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'Get the list of treatments as CSV, as the import takes it.',
  query: TreatmentExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportTreatments(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
