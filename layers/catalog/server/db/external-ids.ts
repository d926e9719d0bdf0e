import type { Ctx } from '@svc/kit'
import { externalIdsOf } from '@svc/kit/external-ids'

export const treatmentIds = (ctx: Pick<Ctx, 'pg'>) =>
  externalIdsOf(ctx, { table: 'catalog_treatment_external_id', record: 'treatment_id' })
