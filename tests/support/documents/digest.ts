import type { Sql } from 'postgres'

/** One digest per table, over the text of every row. */
export async function digestOf(sql: Sql, tables: string[]): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of [...tables].sort()) {
    const [row]
      = await sql`select count(*) || ':' || coalesce(md5(string_agg(t::text, E'\n' order by t::text)), '-') as digest from ${sql(table)} t`
    digests[table] = row!.digest as string
  }
  return digests
}

/** The names of everything that a module could leave in the schema: relations, types, functions, triggers. */
export async function objectsOf(sql: Sql): Promise<string[]> {
  const rows = await sql`
    select relkind::text || ' ' || relname as name from pg_class where relnamespace = 'public'::regnamespace
    union select 'type ' || typname from pg_type where typnamespace = 'public'::regnamespace
    union select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    union select 'trigger ' || tgname from pg_trigger where not tgisinternal
    union select 'constraint ' || conname from pg_constraint where connamespace = 'public'::regnamespace
    order by 1`
  return rows.map(row => row.name as string)
}
