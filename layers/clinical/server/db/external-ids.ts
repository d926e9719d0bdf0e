import type { Ctx } from '@svc/kit'
import { externalIdsOf } from '@svc/kit/external-ids'

export const patientIds = (ctx: Pick<Ctx, 'pg'>) =>
  externalIdsOf(ctx, { table: 'clinical_patient_external_id', record: 'patient_id' })

export const professionalIds = (ctx: Pick<Ctx, 'pg'>) =>
  externalIdsOf(ctx, { table: 'clinical_professional_external_id', record: 'professional_id' })
