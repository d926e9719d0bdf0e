import { isId, problem, type Ctx } from '@svc/kit'
import { findTemplate, type TemplateRow } from '../../db/templates/templates.ts'
import { viewTemplate, type VersionedTemplate } from './view-template.ts'

interface Key { clinic_id: string, id: string }

/** Throws `not_found` for malformed and unknown ids, and for another clinic's. */
export async function findKnownTemplate(ctx: Ctx, { clinic_id, id }: Key): Promise<TemplateRow> {
  const row = isId(id) ? await findTemplate(ctx.db, { clinic_id, id }) : null
  if (!row) throw problem('not_found')
  return row
}

export async function getTemplate(ctx: Ctx, key: Key): Promise<VersionedTemplate> {
  return await viewTemplate(ctx, await findKnownTemplate(ctx, key))
}
