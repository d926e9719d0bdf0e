import { isId, type Ctx, type EventValues, type Finding } from '@svc/kit'
import type { BudgetKey } from '../../db/budgets.ts'
import { findMissing } from '../../db/missing.ts'
import { compareWithBackup } from './fault.ts'

/** At most this many findings are listed; of the others only the number. */
const NAMED = 100

const fix = compareWithBackup('the budgets')

/**
 * Finds stored documents and events of budgets that do not exist. The service deletes only drafts, which have neither,
 * and an erasure empties a budget but keeps its row, so there is no legitimate reason for one.
 */
export async function verifyTraces(ctx: Ctx): Promise<Finding[]> {
  return [...await verifyEvents(ctx), ...await verifyDocuments(ctx)]
}

async function verifyEvents(ctx: Ctx): Promise<Finding[]> {
  const gone = new Map<string, EventValues['values']>()
  for await (const batch of ctx.events.values(['budget_id', 'budget_number', 'version'])) {
    const named = batch.flatMap(({ clinic_id, values }) => {
      const id = values.budget_id
      return clinic_id !== null && typeof id === 'string' && isId(id) ? [{ clinic_id, id, values }] : []
    })
    const missing = new Set((await findMissing(ctx.db, named)).map(({ id }) => id))
    for (const { id, values } of named) if (missing.has(id)) gone.set(id, values)
  }
  return toFindings([...gone], 'event_without_budget', ([id, { budget_number, version }]) => ({
    object: `budget ${id}`,
    message: `Events name ${String(budget_number)} v${String(version)}, which was deleted directly in the database.`
  }))
}

/** Keys of documents begin with clinic and budget. */
async function verifyDocuments(ctx: Ctx): Promise<Finding[]> {
  const gone: BudgetKey[] = []
  const failed: Finding[] = []
  for await (const keys of listKeys(ctx, error => failed.push(notListed(error))))
    gone.push(...(await findMissing(ctx.db, keys)))
  const findings = toFindings(gone, 'document_without_budget', ({ clinic_id, id }) => ({
    object: `budget ${id}`,
    message: `Its documents are stored (${clinic_id}/${id}), but the budget was deleted directly in the database.`
  }))
  return [...findings, ...failed]
}

/** Budgets with documents. If the store does not answer, the list ends, and all other checks continue. */
async function* listKeys(ctx: Ctx, onError: (error: Error) => void): AsyncGenerator<BudgetKey[]> {
  try {
    for await (const clinics of ctx.files.list(''))
      for (const clinic_id of clinics.filter(isId)) yield* listKeysOf(ctx, clinic_id)
  } catch (error) {
    onError(error as Error)
  }
}

async function* listKeysOf(ctx: Ctx, clinic_id: string): AsyncGenerator<BudgetKey[]> {
  for await (const names of ctx.files.list(clinic_id)) yield names.filter(isId).map(id => ({ clinic_id, id }))
}

const notListed = ({ message }: Error): Finding => ({
  code: 'documents_not_listed',
  object: 'documents',
  message: `The stored documents could not be compared with the budgets: ${message}`,
  fix: 'Correct the store\'s settings or permissions (SVC_STORAGE), then run the doctor again.',
  advice: true
})

function toFindings<T>(gone: T[], code: string, describe: (one: T) => Pick<Finding, 'object' | 'message'>): Finding[] {
  const findings = gone.slice(0, NAMED).map(one => ({ code, ...describe(one), fix }))
  const more = gone.length - findings.length
  return more > 0 ? [...findings, { code, object: 'budgets', message: `And ${more} more.`, fix }] : findings
}
