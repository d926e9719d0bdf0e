import type { Instance } from '../../support/instance.ts'

/** The product in this process on the large database. `clinic` has a fifth of the budgets, `small` is one like most. */
export interface World extends Pick<Instance, 'url' | 'runtime' | 'clinic' | 'as' | 'anonymous'> {
  /** The bench's own connection, which is not watched. */
  sql: Instance['sql']
  small: { id: string }
}
