import { randomInt } from 'node:crypto'
import type { Ctx, Tx } from '@svc/kit'
import { insertRequest, type NewStoredRequest, type StoredRequest } from '../../db/requests.ts'
import { mintToken } from '../token.ts'
import { factOf } from './facts.ts'

/** Without letters and digits that people confuse. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const mark = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

type Input = Omit<NewStoredRequest, 'reference' | 'token_mac' | 'token_sealed'>

/** Null if it is there already. The reference is the number of the budget or invoice with four characters more. */
export async function addRequest(ctx: Ctx, tx: Tx, input: Input): Promise<StoredRequest | null> {
  const reference = `${input.invoice_number ?? input.budget_number}-${mark()}`
  const row = await insertRequest(tx, { ...input, reference, ...mintToken(ctx) })
  if (!row) return null
  const { invoice_id, due_on } = row
  await ctx.events.publish(tx, 'payments.requested', { ...factOf(row), invoice_id, due_on }, { key: row.id })
  return row
}
