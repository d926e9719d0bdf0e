import { sql, type SQL } from 'drizzle-orm'
import type { Json } from '@svc/kit'
import type { AuditFilter, AuditRow } from '../../../shared/audit.ts'
import { rowsOf } from '../db/rows.ts'
import type { Host } from '../host.ts'
import { INSTANCE } from './chain.ts'

interface Row {
  id: string
  clinic_id: string
  seq: number
  at: string
  actor_type: 'user' | 'token' | 'system'
  actor_id: string | null
  actor_name: string | null
  action: AuditRow['action']
  target_kind: string | null
  target_id: string | null
  detail: Record<string, Json>
  address: string | null
}

const COLUMNS = sql`row.id::text, row.clinic_id::text, row.seq,
  to_char(row.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  row.actor_type, row.actor_id, row.actor_name, row.action, row.target_kind, row.target_id, row.detail, row.address`

type Needs = Pick<Host, 'db' | 'users'>
/** Null: the instance's own log. */
interface LogOwner { clinic_id: string | null }

/** One page, newest first; `total` counts the rows of all pages. */
export async function listAudit(
  { db, users, audit }: Needs & Pick<Host, 'audit'>,
  { clinic_id, page, page_size, ...filter }: AuditFilter & LogOwner & { page: number, page_size: number }
): Promise<{ rows: AuditRow[], total: number }> {
  await audit.settled() // includes what this process has refused so far
  const where = whereOf({ clinic_id, ...filter })
  const rows = await rowsOf<Row>(db, sql`
    select ${COLUMNS} from core_audit row where ${where}
    order by row.seq desc limit ${page_size} offset ${(page - 1) * page_size}`)
  const [all] = await rowsOf<{ n: number }>(db, sql`select count(*)::int as n from core_audit row where ${where}`)
  return { rows: await withNames({ users }, rows), total: all!.n }
}

/**
 * All rows, newest first, in batches, so that few rows are in memory and no connection is held while the reader waits.
 */
export async function* auditBatches(
  { db, users, audit }: Needs & Pick<Host, 'audit'>,
  { clinic_id, ...filter }: AuditFilter & LogOwner,
  size = 500
): AsyncGenerator<AuditRow[]> {
  await audit.settled()
  const where = whereOf({ clinic_id, ...filter })
  for (let before = 2_147_483_647; ;) {
    const rows = await rowsOf<Row>(db, sql`
      select ${COLUMNS} from core_audit row where ${where} and row.seq < ${before}::int
      order by row.seq desc limit ${size}`)
    if (rows.length === 0) return
    yield await withNames({ users }, rows)
    before = rows.at(-1)!.seq
  }
}

export interface ListedRow extends AuditRow {
  /** Null: the instance's own log. */
  clinic: { id: string, name: string | null } | null
}

/** Steps from one log to the next in the index, so that it reads only one row per log, however long the logs are. */
const EACH_CHAIN = sql`
  (select clinic_id from core_audit order by clinic_id limit 1)
  union all
  select (select next.clinic_id from core_audit next where next.clinic_id > chain.clinic_id order by next.clinic_id limit 1)
  from chain where chain.clinic_id is not null`

/**
 * The newest rows of all logs, or of one clinic's, for the operator. Reads the newest rows of each log by its index.
 */
export async function listAllAudit(
  { db, users }: Needs,
  { clinic_id, action, limit }: { clinic_id?: string, action?: AuditRow['action'], limit: number }
): Promise<ListedRow[]> {
  const rows = await rowsOf<Row & { clinic_name: string | null }>(db, sql`
    with recursive chain as (${clinic_id ? sql`select ${clinic_id}::uuid as clinic_id` : EACH_CHAIN})
    select ${COLUMNS}, clinic.name as clinic_name
    from chain
    cross join lateral (
      select * from core_audit one
      where one.clinic_id = chain.clinic_id and ${action ? sql`one.action = ${action}::text` : sql`true`}
      order by one.seq desc limit ${limit}
    ) row
    left join core_clinic clinic on clinic.id = row.clinic_id
    order by row.at desc, row.seq desc, row.id limit ${limit}`)
  const shown = await withNames({ users }, rows)
  return shown.map((row, index) => {
    const { clinic_id: id, clinic_name: name } = rows[index]!
    return { ...row, clinic: id === INSTANCE ? null : { id, name } }
  })
}

function whereOf({ clinic_id, action, actor, from, to }: AuditFilter & LogOwner): SQL {
  const zone = clinic_id === null
    ? sql`'UTC'`
    : sql`(select time_zone from core_clinic where id = ${clinic_id}::uuid)`
  const day = (text: string) => sql`(${text}::text::date)::timestamp`
  const parts = [
    sql`row.clinic_id = ${clinic_id ?? INSTANCE}::uuid`,
    ...(action?.length
      ? [sql`row.action in (select jsonb_array_elements_text(${JSON.stringify(action)}::text::jsonb))`]
      : []),
    ...(actor === undefined ? [] : [actor === 'system' ? sql`row.actor_type = 'system'` : sql`row.actor_id = ${actor}`]),
    ...(from === undefined ? [] : [sql`row.at >= ${isDay(from) ? sql`(${day(from)} at time zone ${zone})` : instant(from)}`]),
    ...(to === undefined
      ? []
      : [isDay(to) ? sql`row.at < ((${day(to)} + interval '1 day') at time zone ${zone})` : sql`row.at <= ${instant(to)}`])
  ]
  return sql.join(parts, sql` and `)
}

const isDay = (text: string) => text.length === 10
/** In UTC, because PostgreSQL accepts no offset of 16 hours or more. */
const instant = (text: string) => sql`${new Date(text).toISOString()}::text::timestamptz`

/** Looks up people's names, so that the log need not change when a name does. */
async function withNames({ users }: Pick<Host, 'users'>, rows: Row[]): Promise<AuditRow[]> {
  const ids = new Set(rows.flatMap(({ actor_type, actor_id }) => actor_type === 'user' && actor_id ? [actor_id] : []))
  const names = await users.names([...ids])
  return rows.map(({ id, at, actor_type, actor_id, actor_name, action, target_kind, target_id, detail, address }) => ({
    id,
    at,
    actor: {
      type: actor_type,
      id: actor_id,
      name: actor_type === 'user' ? (names.get(actor_id ?? '') ?? null) : actor_name
    },
    action,
    target: target_kind === null ? null : { kind: target_kind, id: target_id },
    detail,
    address
  }))
}
