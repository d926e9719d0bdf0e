import type { Finding } from '@svc/kit'
import type { Sql, TransactionSql } from 'postgres'
import { CORE } from '../core-module.ts'

type Query = Sql | TransactionSql

export interface EndedDeliveries { kind: 'event' | 'job', name: string, count: number }
export interface WaitingDelivery { kind: 'event' | 'job', name: string, event_id: string | null, created_at: string }

/**
 * Stored as `last_error` of a delivery that was never processed. Its row counts as done, so that it and its event are
 * pruned like others.
 */
const UNINSTALLED = 'the module was uninstalled'

/** What waits for a module, oldest first. */
export async function listWaiting(sql: Query, module: string): Promise<WaitingDelivery[]> {
  const rows = await sql<WaitingDelivery[]>`
    select kind, name, event_id::text, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from core_delivery where module_name = ${module} and status = 'pending' order by core_delivery.id`
  return rows.map(row => ({ ...row }))
}

/** Ends everything that waits for a removed module, in the transaction that removes it. */
export async function endDeliveries(sql: Query, module: string): Promise<EndedDeliveries[]> {
  const rows = await sql<EndedDeliveries[]>`
    with ended as (
      update core_delivery set status = 'done', done_at = clock_timestamp(), last_error = ${UNINSTALLED}
      where module_name = ${module} and status = 'pending' returning kind, name
    ) select kind, name, count(*)::int as count from ended group by kind, name order by kind, name`
  return rows.map(row => ({ ...row }))
}

/** Ends deliveries that instances added after a module's removal, before their own restart. Returns how many. */
export async function endUnreachable(sql: Query): Promise<number> {
  const ended = await sql`
    update core_delivery set status = 'done', done_at = clock_timestamp(), last_error = ${UNINSTALLED}
    where status = 'pending' and module_name in (select name from core_module where state = 'uninstalled')`
  return ended.count
}

/** For the doctor: deliveries that wait for a module that does not run, whatever the reason. */
export async function checkUnreachable(sql: Sql, running: readonly string[]): Promise<Finding[]> {
  const rows = await sql<{ module: string, count: number, is_installed: boolean }[]>`
    select module_name as module, count(*)::int as count,
           coalesce(max(core_module.state) <> 'uninstalled', false) as is_installed
    from core_delivery left join core_module on core_module.name = module_name
    where status = 'pending'
      and module_name not in (select jsonb_array_elements_text(${JSON.stringify([CORE, ...running])}::text::jsonb))
    group by module_name order by module_name`
  return rows.map(({ module, count, is_installed }) => ({
    code: 'deliveries_unreachable',
    object: module,
    message: `${count === 1 ? '1 event or job waits' : `${count} events and jobs wait`} for ${module}, which ${is_installed ? 'does not run' : 'is not installed'}.`,
    fix: is_installed
      ? `Run svc modules info ${module} and fix the cause: the deliveries follow. Or uninstall ${module}, which ends them.`
      : 'Restart every instance (svc modules restart): the deliveries end within a minute.'
  }))
}
