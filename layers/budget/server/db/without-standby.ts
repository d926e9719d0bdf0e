import { sql } from 'drizzle-orm'

/**
 * For the RETURNING of a statement that runs alone: its commit waits for no synchronous standby. A failover may lose
 * it, as a touch of a session or the count of a wrong code. Not inside of a transaction, where it would count for all
 * that commits with it: that is `ctx.localTransaction`.
 */
export const WITHOUT_STANDBY = sql`set_config('synchronous_commit', 'local', true)`
