import { sql } from 'drizzle-orm'
import type { Db, EventValues } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'

/** The number of events that one statement reads. */
const BATCH = 5000

/** Values from a module's own events, whose names begin with its name. Each batch contains equal values only once. */
export async function* valuesOfEvents(
  db: Db,
  { module, members }: { module: string, members: string[] }
): AsyncGenerator<EventValues[]> {
  for (let after = '0'; ;) {
    const rows = await rowsOf<{ clinic_id: string | null, values: string, last: string }>(db, sql`
      select clinic_id::text, named.values, max(seq)::text as last
      from (
        select seq, clinic_id, payload from core_event
        where seq > ${after}::bigint and starts_with(name, ${`${module}.`}) order by seq limit ${BATCH}::int
      ) as batch
      cross join lateral (
        select jsonb_object_agg(member, payload -> member)::text as values
        from jsonb_array_elements_text(${JSON.stringify(members)}::text::jsonb) as wanted (member)
      ) as named
      group by clinic_id, named.values`)
    if (rows.length === 0) return
    yield rows.map(({ clinic_id, values }) => ({ clinic_id, values: JSON.parse(values) as EventValues['values'] }))
    after = rows.reduce((last, row) => (BigInt(row.last) > last ? BigInt(row.last) : last), 0n).toString()
  }
}
