import { hash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { ShownBudget } from '../../db/budgets.ts'
import type { SentLines } from '../../db/links.ts'
import { contentAsSent } from '../log/sent-seal.ts'

/** `rows`: SHA-256 of everything that the check reads. */
interface Checked { rows: string, digest: string }
interface CheckedRows extends SentLines { budget: ShownBudget, clinic: { name: string } }

const MAX_KEPT = 10_000

/** Budget → the last result that passed. One map for each instance in this process, identified by its secrets. */
const checked = new WeakMap<Ctx['secrets'], Map<string, Checked>>()

/**
 * The digest of `contentAsSent`, cached for repeated reads of unchanged rows: equal rows give an equal result. They are
 * compared by their values and not by PostgreSQL's `xmin`, because a table's owner can change the meaning of rows
 * without a new `xmin` (`alter table … rename column`). Throws `content_tampered`.
 */
export function digestAsSent(ctx: Pick<Ctx, 'secrets' | 'log'>, { items_text, ...content }: CheckedRows): string {
  const { budget, clinic } = content
  const kept = checked.get(ctx.secrets) ?? new Map<string, Checked>()
  checked.set(ctx.secrets, kept)
  const rows = digestRows(budget, items_text, clinic.name)
  const last = kept.get(budget.id)
  if (last?.rows === rows) return last.digest
  kept.delete(budget.id)
  const { digest } = contentAsSent(ctx, content)
  kept.set(budget.id, { rows, digest })
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  return digest
}

/** PostgreSQL's texts contain no NUL, so that it can separate values. */
const digestRows = (budget: ShownBudget, items_text: string, clinicName: string): string =>
  hash('sha256', [...Object.values(budget).map(textOf), clinicName, items_text].join('\0'))

function textOf(value: unknown): string {
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return JSON.stringify(value)
}
