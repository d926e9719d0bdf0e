import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually, type SentBudget } from '../builders.ts'
import type { Caller } from '../caller.ts'
import { drawSheet } from '@svc/sheet/draw-sheet.ts'
import { budgetSheet } from '../../../layers/budget/server/pdf/budget-sheet.ts'
import { aDocument } from './budget-document.ts'
import type { Instance } from '../instance.ts'

export const hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export type Documents = Awaited<ReturnType<typeof documentsOf>>

/**
 * Actions and look-ups for tests of documents. The first drawing of an instance loads the PDF library, which takes
 * seconds without a bundle.
 */
export async function documentsOf(instance: Instance) {
  const first = aDocument()
  await drawSheet(instance.runtime.host.registry.get('budget')!.ctx, budgetSheet(first), first.clinic)
  const rowOf = async (id: string) => (await instance.sql`select * from budget where id = ${id}`)[0]!
  const isReady = (id: string) =>
    eventually(async () => (await rowOf(id)).signed_pdf_status === 'ready', 'the signed PDF')

  async function accept(budget: SentBudget, patient: Caller, body: object = ACCEPTANCE) {
    const { status, body: answer } = await patient.post(`${budget.base}/accept`, body)
    expect(status, JSON.stringify(answer)).toBe(200)
  }

  async function anAcceptedBudget(body: object = ACCEPTANCE): Promise<{ budget: SentBudget, patient: Caller }> {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await accept(budget, patient, body)
    await isReady(budget.id)
    return { budget, patient }
  }

  const logOf = async (id: string, action: string) => instance.sql`
    select success, actor, user_id, detail from budget_access_log where budget_id = ${id} and action = ${action} order by seq`

  return { rowOf, logOf, isReady, accept, anAcceptedBudget }
}
