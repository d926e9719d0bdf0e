import { sql } from 'drizzle-orm'

/**
 * For the RETURNING of a single statement: its commit does not wait for a standby. Only for writes that a failover may
 * lose, such as counters. Not inside a transaction, where it would apply to everything that commits with it. It is part
 * of the statement, because a session's setting would remain in a pooler's connection.
 */
export const WITHOUT_STANDBY = sql`set_config('synchronous_commit', 'local', true)`
