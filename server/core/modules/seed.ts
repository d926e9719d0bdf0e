import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import { phraseIssue } from '@svc/kit/issues'
import * as z from 'zod'

const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/)
const seedFile = z.array(z.strictObject({
  xml_id: z.string().regex(/^[\w.-]+$/),
  table: identifier,
  noupdate: z.boolean().default(false),
  values: z.record(identifier, z.json())
}))
type SeedRecord = z.infer<typeof seedFile>[number]

interface Seed {
  module: string
  depends: string[]
  folder: string
  /** Paths below `folder`. */
  files: string[]
  /** A seed may fill only the module's own tables. */
  tables: string[]
  operation: 'install' | 'upgrade'
}

interface Known { record_id: string, noupdate: boolean }

/**
 * Inserts each record once, tracked in `core_external_id`. An upgrade updates it, unless it is marked `noupdate`. A
 * record that a user deleted stays deleted. Values `ref:xml_id` and `ref:module.xml_id` (of a dependency) become the
 * key of that record.
 */
export async function applySeed(sql: TransactionSql, seed: Seed): Promise<{ inserted: number, updated: number }> {
  const counts = { inserted: 0, updated: 0 }
  for (const file of seed.files) {
    for (const record of readSeed(seed.folder, file)) {
      try {
        await applyRecord(sql, seed, record, counts)
      } catch (error) {
        throw new Error(`${file}: ${record.xml_id}: ${(error as Error).message}`, { cause: error })
      }
    }
  }
  return counts
}

function readSeed(folder: string, file: string): SeedRecord[] {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error })
  }
  const parsed = seedFile.safeParse(json, { error: phraseIssue })
  if (!parsed.success)
    throw new Error(
      `${file}: ${parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`
    )
  return parsed.data
}

async function applyRecord(
  sql: TransactionSql,
  seed: Seed,
  record: SeedRecord,
  counts: { inserted: number, updated: number }
): Promise<void> {
  if (!seed.tables.includes(record.table)) throw new Error(`${record.table} is not a table of ${seed.module}`)
  const known = await findRecord(sql, seed.module, record.xml_id)
  if (known && (seed.operation === 'install' || known.noupdate || record.noupdate)) return

  const values = await resolveReferences(sql, seed, record.values)
  const key = await keyOf(sql, record.table)
  if (known) {
    counts.updated += await updateRecord(sql, record.table, key, known.record_id, values)
    return
  }
  const record_id = await insertRecord(sql, record.table, key, values)
  await sql`
    insert into core_external_id (module_name, xml_id, table_name, record_id, noupdate)
    values (${seed.module}, ${record.xml_id}, ${record.table}, ${record_id}, ${record.noupdate})`
  counts.inserted += 1
}

async function findRecord(sql: TransactionSql, module: string, xml_id: string): Promise<Known | null> {
  const [row] = await sql<
    Known[]
  >`select record_id, noupdate from core_external_id where module_name = ${module} and xml_id = ${xml_id}`
  return row ?? null
}

async function resolveReferences(
  sql: TransactionSql,
  seed: Seed,
  values: SeedRecord['values']
): Promise<SeedRecord['values']> {
  const resolved: SeedRecord['values'] = {}
  for (const [column, value] of Object.entries(values)) {
    resolved[column]
      = typeof value === 'string' && value.startsWith('ref:') ? await resolveReference(sql, seed, value.slice(4)) : value
  }
  return resolved
}

async function resolveReference(sql: TransactionSql, seed: Seed, name: string): Promise<string> {
  const owner = seed.depends.find(dependency => name.startsWith(`${dependency}.`))
  const found
    = (await findRecord(sql, seed.module, name))
      ?? (owner ? await findRecord(sql, owner, name.slice(owner.length + 1)) : null)
  if (!found) throw new Error(`ref:${name} names no record of ${[seed.module, ...seed.depends].join(', ')}`)
  return found.record_id
}

/** The single-column primary key by which a record is tracked. */
export async function keyOf(sql: TransactionSql, table: string): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indisprimary and i.indrelid = to_regclass(quote_ident(${table}))`
  if (rows.length !== 1) throw new Error(`${table} has no primary key of one column`)
  return rows[0]!.name
}

/** The server converts JSON to the column types. Columns that are not named keep their defaults. */
async function insertRecord(
  sql: TransactionSql,
  table: string,
  key: string,
  values: SeedRecord['values']
): Promise<string> {
  const columns = sql(Object.keys(values))
  const [row] = await sql<{ id: string }[]>`
    insert into ${sql(table)} (${columns})
    select ${columns} from jsonb_populate_record(null::${sql(table)}, ${JSON.stringify(values)}::text::jsonb)
    returning ${sql(key)}::text as id`
  return row!.id
}

async function updateRecord(
  sql: TransactionSql,
  table: string,
  key: string,
  id: string,
  values: SeedRecord['values']
): Promise<number> {
  const columns = sql(Object.keys(values))
  const result = await sql`
    update ${sql(table)} set (${columns}) =
      (select ${columns} from jsonb_populate_record(null::${sql(table)}, ${JSON.stringify(values)}::text::jsonb))
    where ${sql(key)}::text = ${id}`
  return result.count
}
