import type { Ctx } from '@svc/kit'
import type { TemplateQuery, TemplateRow } from '../../../shared/contract.ts'
import { selectTemplates } from '../../db/templates/templates.ts'
import { toTemplateRow } from './view-template.ts'

export async function listTemplates(
  ctx: Ctx,
  at: TemplateQuery & { clinic_id: string }
): Promise<{ rows: TemplateRow[], total: number }> {
  const { rows, total } = await selectTemplates(ctx.db, at)
  return { rows: rows.map(toTemplateRow), total }
}
