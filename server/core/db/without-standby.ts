import { sql } from 'drizzle-orm'

/**
 * For the RETURNING of a statement that runs alone: its commit waits for no standby. For writes that a failover may
 * lose, such as counters. Not inside of a transaction, where it would count for all that commits with it.
 * In the statement itself, since a setting of the session would stay behind in a pooler.
 */
export const WITHOUT_STANDBY = sql`set_config('synchronous_commit', 'local', true)`
