import { isId, matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import { lockTemplate, removeTemplate, renameTemplate, type TemplateRow } from '../../db/templates/templates.ts'
import { viewTemplate, type VersionedTemplate } from './view-template.ts'

interface Key { clinic_id: string, id: string, if_match: string | undefined }

/** The content stays the same: a changed budget is saved as a new template. */
export async function changeTemplate(
  ctx: Ctx,
  { name, user_id, ...key }: Key & { name?: string, user_id: string }
): Promise<VersionedTemplate> {
  const row = await ctx.db.transaction(async (tx) => {
    const stored = await lockKnown(tx, key)
    return await renameTemplate(tx, { id: stored.id, name: name ?? stored.name, updated_by: user_id })
  })
  return await viewTemplate(ctx, row)
}

export async function deleteTemplate(ctx: Ctx, key: Key): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id } = await lockKnown(tx, key)
    await removeTemplate(tx, id)
  })
}

async function lockKnown(tx: Tx, { clinic_id, id, if_match }: Key): Promise<TemplateRow> {
  const row = isId(id) ? await lockTemplate(tx, { clinic_id, id }) : null
  if (!row) throw problem('not_found')
  if (!matchesEtag(row.edit, if_match)) throw problem('precondition_failed')
  return row
}
