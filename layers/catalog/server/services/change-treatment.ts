import { isDeepStrictEqual } from 'node:util'
import { isId, matchesEtag, problem, type AuditEntry, type Ctx } from '@svc/kit'
import type { TreatmentChange } from '../../shared/contract.ts'
import { holdPriceMode } from '../db/convert-prices.ts'
import { treatmentIds } from '../db/external-ids.ts'
import { lockTreatment, updateTreatment, type TreatmentRow } from '../db/treatments.ts'
import type { Versioned } from './create-treatment.ts'
import { assertPriceMode } from './assert-price-mode.ts'
import { readFields } from './read-fields.ts'
import { toTreatment } from './views.ts'

/** Who does it, for the audit log. */
export type Who = Pick<AuditEntry, 'actor' | 'client'>

interface Input {
  clinic_id: string
  user_id: string | null
  who: Who
  id: string
  if_match: string | undefined
  change: TreatmentChange
}

/** Budgets keep what they copied: a new price or name changes none of them. */
export async function changeTreatment(
  ctx: Ctx,
  { clinic_id, user_id, who, id, if_match, change }: Input
): Promise<Versioned> {
  const { prices_include_tax, external_ids, ...rest } = change
  const { currency } = await ctx.clinics.get(clinic_id)
  const fields = await readFields(ctx, rest, currency)
  return await ctx.db.transaction(async (tx) => {
    await holdPriceMode(tx, clinic_id)
    const clinic = await ctx.clinics.get(clinic_id, tx)
    const row = isId(id) ? await lockTreatment(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    assertPriceMode(clinic, prices_include_tax)
    const ids = external_ids ? await treatmentIds(ctx).list(tx, [id]) : null
    if (external_ids) await treatmentIds(ctx).save(tx, { clinic_id, id, external_ids })
    const opened = getsFirstPrice(row, fields) ? { active: true } : {}
    const changed = await updateTreatment(tx, { ...row, ...opened, ...fields, updated_by: user_id })
    if (!changed) throw problem('code_taken')
    const written = { ...opened, ...fields }
    const names = [
      ...(Object.keys(written) as (keyof TreatmentRow)[]).filter(name => !isDeepStrictEqual(row[name], changed[name])),
      ...external_ids && !isDeepStrictEqual(ids?.get(id) ?? {}, external_ids) ? ['external_ids'] : []
    ]
    if (names.length > 0) await ctx.audit.record(tx, {
      clinic_id, ...who, action: 'record_changed', target: { kind: 'treatment', id }, detail: { fields: names.toSorted() }
    })
    return { version: changed.version, treatment: toTreatment(changed, clinic) }
  })
}

/** A starter treatment is inactive for want of a price; with one it can be used, unless the change says otherwise. */
const getsFirstPrice = (row: Pick<TreatmentRow, 'active' | 'unit_price'>, { unit_price = 0n }: { unit_price?: bigint }) =>
  !row.active && row.unit_price === 0n && unit_price > 0n
