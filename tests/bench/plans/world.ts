import type { Instance } from '../../support/instance.ts'

/**
 * The product in this process on the large database. `clinic` has a fifth of the budgets, `small` has an average
 * number.
 */
export interface World extends Pick<Instance, 'url' | 'runtime' | 'clinic' | 'as' | 'anonymous'> {
  /** The bench's own connection, which is not logged. */
  sql: Instance['sql']
  small: { id: string }
}

export type Scenario = (world: World) => Promise<unknown>

/** A failed statement has no plan. */
export async function assertOk(call: Promise<{ status: number, body: unknown }>): Promise<void> {
  const { status, body } = await call
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
}
