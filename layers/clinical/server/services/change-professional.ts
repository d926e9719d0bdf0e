import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import type { ProfessionalChange } from '../../shared/contract.ts'
import { professionalIds } from '../db/external-ids.ts'
import { lockProfessional, updateProfessional, type ProfessionalRow } from '../db/professionals.ts'

interface Input {
  clinic_id: string
  user_id: string
  id: string
  if_match: string | undefined
  change: ProfessionalChange
}

/** Throws `not_found`, and `precondition_failed` if `if_match` is another version's. */
export async function changeProfessional(
  ctx: Ctx,
  { clinic_id, user_id, id, if_match, change }: Input
): Promise<ProfessionalRow> {
  return await ctx.db.transaction(async (tx) => {
    const row = isId(id) ? await lockProfessional(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    const { external_ids } = change
    if (external_ids) await professionalIds(ctx).save(tx, { clinic_id, id, external_ids })
    return await updateProfessional(tx, { ...row, ...change, updated_by: user_id })
  })
}
