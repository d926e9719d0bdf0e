import type { Instance } from '../instance.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../builders.ts'
import type { Caller } from '../caller.ts'
import { budgetCtx, sealNow } from '../logs.ts'

type Sql = Instance['sql']
export interface Named { code: string, object: string, message: string }

const DEADLOCK = '40P01'
const GUARDED = ['budget', 'budget_item', 'budget_signature', 'budget_access_log', 'budget_link', 'budget_session']
const OWNED = [
  'budget_access_log',
  'budget_log_checkpoint',
  'budget_signature',
  'budget_session',
  'budget_link',
  'budget_item',
  'budget_reminder',
  'budget_notice'
]

/**
 * Actions of the tables' owner, who can disable triggers but doesn't know the secret, and the faults that the service
 * then reports.
 */
export const databaseOwner = (instance: Instance) => ({
  async change(change: (sql: Sql) => Promise<unknown>): Promise<void> {
    const attempt = () => instance.sql.begin(async (tx) => {
      for (const table of GUARDED) await tx`alter table ${tx(table)} disable trigger user`
      await change(tx as unknown as Sql)
      for (const table of GUARDED) await tx`alter table ${tx(table)} enable trigger user`
    })
    // The service's own jobs lock some of these tables in another order.
    for (;;) {
      const isDone = await attempt().then(() => true, (error) => {
        if (error.code === DEADLOCK) return false
        throw error
      })
      if (isDone) return
    }
  },
  /** Codes of the doctor's findings about a number. */
  async named({ number }: { number: string }): Promise<string[]> {
    return (await examine(instance)).filter(({ object }) => object.startsWith(number)).map(({ code }) => code)
  },
  /** Codes that the staff's screens show. */
  async warned(id: string): Promise<string[]> {
    return (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data.proof_faults
  }
})

export type Owner = ReturnType<typeof databaseOwner>

export const examine = async (instance: Instance): Promise<Named[]> =>
  await instance.runtime.host.registry.get('budget')!.definition.doctor!(budgetCtx(instance)) as never

/** A version with all its rows. */
export async function removeRows(sql: Sql, id: string): Promise<void> {
  for (const table of OWNED) await sql`delete from ${sql(table)} where budget_id = ${id}`
  await sql`delete from budget where id = ${id}`
}

export async function anAcceptedBudget(instance: Instance): Promise<SentBudget & { patient: Caller }> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const { status } = await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  if (status !== 200) throw new Error(`accept answered ${status}`)
  await sealNow(instance, budget.id)
  return { ...budget, patient }
}
