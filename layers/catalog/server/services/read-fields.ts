import { problem, type Ctx } from '@svc/kit'
import { parseMoney, parsePercent } from '@svc/kit/money'
import type { TreatmentChange } from '../../shared/contract.ts'
import { hasCategory } from '../db/treatments.ts'

/** Twelve digits: with a quantity of 999 and any VAT it stays far from what a bigint column holds. */
export const MAX_PRICE = 999_999_999_999n
export const MAX_PERCENT = 10_000n

/** From the wire to columns. Throws `validation_failed` with everything that the schemas cannot know. */
export async function readFields<Change extends TreatmentChange>(ctx: Ctx, change: Change, currency: string) {
  const { unit_price, vat, ...rest } = change
  const price = unit_price === undefined ? undefined : parseMoney(unit_price, currency)
  const percent = vat === undefined ? undefined : parsePercent(vat)
  const errors = [
    ...(price === null
      ? [{ pointer: '/unit_price', message: `Must be an amount with the decimals of ${currency}.` }]
      : []),
    ...(price && price > MAX_PRICE ? [{ pointer: '/unit_price', message: 'Is too large.' }] : []),
    ...(percent === null || (percent && percent > MAX_PERCENT)
      ? [{ pointer: '/vat', message: 'Must be a percentage from 0 to 100.' }]
      : []),
    ...(typeof rest.category === 'string' && !(await hasCategory(ctx.db, rest.category))
      ? [{ pointer: '/category', message: 'There is no such category.' }]
      : [])
  ]
  if (errors.length > 0) throw problem('validation_failed', { errors })
  return {
    ...rest,
    ...(typeof price === 'bigint' ? { unit_price: price } : {}),
    ...(typeof percent === 'bigint' ? { vat: Number(percent) } : {})
  }
}
