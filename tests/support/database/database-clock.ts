import type { Instance } from '../instance.ts'

/** The offset is part of the functions, so that `set` needs no restart. */
const definition = (name: string, seconds: number) => `
  create or replace function shifted.${name}() returns timestamptz language sql stable
  as 'select pg_catalog.${name}() + ${seconds} * interval ''1 second'''`

/**
 * Restarts the instance on a database whose clock you can set: the functions that the product asks for the time come
 * first in the search path. Defaults of columns keep the real time,
 * except that of new sessions, so that they are live.
 */
export async function aDatabaseClock(instance: Instance): Promise<{ set(at: string): Promise<void> }> {
  const { sql } = instance
  const set = async (seconds: number) => {
    for (const name of ['now', 'clock_timestamp']) await sql.unsafe(definition(name, seconds))
  }
  await instance.restart(async () => {
    await sql`create schema shifted`
    await set(0)
    await sql`alter table core_session alter column last_used_at set default shifted.now()`
    const [database] = await sql`select current_database() as name`
    await sql`alter database ${sql(database!.name as string)} set search_path = shifted, pg_catalog, public`
  })
  return { set: at => set(Math.round((Date.parse(at) - Date.now()) / 1000)) }
}
