import { randomBytes } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import type { Finding } from '@svc/kit'
import { runFile, type Migration } from '../db/migrate.ts'
import { withoutForeignTriggers, type ForeignTrigger } from '../modules/foreign-triggers.ts'

export interface Branch {
  module: string
  /** The applied migrations, in order. */ migrations: Migration[]
  tables: string[]
  /** Triggers that migrations of other modules put on these tables. */
  foreign: ForeignTrigger[]
}

interface Fact { table: string, kind: 'column' | 'constraint' | 'index' | 'trigger', name: string, definition: string }

/**
 * Finds changes that no migration has made: the migrations run again into a schema that is rolled back, and both are
 * compared. Columns are compared in both directions; an additional index is accepted.
 */
export async function findDrift(sql: Sql, branch: Branch): Promise<Finding[]> {
  const [wanted, actual] = await expectedAndActual(sql, branch)
  const known = new Set(actual.map(keyOf))
  const missing = wanted.filter(fact => !known.has(keyOf(fact)))
  const expected = new Set(wanted.map(nameOf))
  const surplus = actual.filter(fact => fact.kind === 'column' && !expected.has(nameOf(fact)))
  const triggers = actual.filter(fact => fact.kind === 'trigger' && !expected.has(nameOf(fact)))
  const present = new Set(actual.map(nameOf))
  return [
    ...missing.map(fact =>
      toFinding(
        branch.module,
        fact,
        present.has(nameOf(fact)) ? `is not as it was made: ${fact.definition}` : `is missing: ${fact.definition}`
      )
    ),
    ...surplus.map(fact => toFinding(branch.module, fact, 'was not made by a migration')),
    ...triggers.map(fact => toForeign(branch, fact))
  ]
}

const nameOf = ({ table, kind, name }: Fact) => `${table} ${kind} ${name}`
const keyOf = (fact: Fact) => `${nameOf(fact)} ${fact.definition}`

const toFinding = (module: string, { table, kind, name }: Fact, what: string): Finding => ({
  code: 'schema_drift',
  object: `${module}: ${table}`,
  message: `The ${kind} ${name} ${what}.`,
  fix: 'Undo the change in the database: only migrations change tables.'
})

/**
 * A finding for a trigger that runs with each change of another module's table, unnoticed by the module that owns it.
 */
function toForeign({ module, foreign }: Branch, { table, name, definition }: Fact): Finding {
  const maker = foreign.find(found => found.trigger === name && found.table === table)?.module
  const [, called = '?'] = /EXECUTE (?:FUNCTION|PROCEDURE) (?:\S+\.)?"?(\w+)"?\(/i.exec(definition) ?? []
  return {
    code: 'foreign_trigger',
    object: `${module}: ${table}`,
    message: `The trigger ${name} with the function ${called}() was not made by ${module}, but by ${maker ?? 'someone else'}.`,
    fix: maker
      ? `Use a version of ${maker} without it, or uninstall ${maker}.`
      : `If it is not needed: drop trigger "${name}" on "${table}", then its function.`
  }
}

class RollBack extends Error {}

async function expectedAndActual(sql: Sql, branch: Branch): Promise<[Fact[], Fact[]]> {
  const scratch = `svc_doctor_${randomBytes(4).toString('hex')}`
  let facts: [Fact[], Fact[]] | undefined
  try {
    await sql.begin(async (tx) => {
      const [row] = await tx<{ home: string }[]>`select current_schema() as home`
      const { home } = row!
      await tx`create schema ${tx(scratch)}`
      await tx`select set_config('search_path', ${`${scratch}, ${home}`}, true)`
      for (const { up } of branch.migrations) await runInto(tx, up, scratch, branch.tables)
      const wanted = await readFacts(tx, scratch, branch.tables)
      await tx`select set_config('search_path', ${home}, true)`
      facts = [wanted, await readFacts(tx, home, branch.tables)]
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return facts!
}

/** drizzle-kit writes the schema's name into references. */
async function runInto(tx: TransactionSql, text: string, scratch: string, tables: string[]): Promise<void> {
  await runFile(
    tx,
    withoutForeignTriggers(text, tables).replaceAll(/"public"\."(\w+)"/g, (whole, table: string) =>
      tables.includes(table) ? `"${scratch}"."${table}"` : whole
    )
  )
}

async function readFacts(tx: TransactionSql, schema: string, tables: string[]): Promise<Fact[]> {
  const facts = await tx<Fact[]>`
    with own as (
      select oid, relname from pg_class
      where relnamespace = ${schema}::text::regnamespace and relkind in ('r', 'p') and relname in (select jsonb_array_elements_text(${JSON.stringify(tables)}::text::jsonb))
    )
    select relname as table, 'column' as kind, attname as name,
           concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid)) as definition
    from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select relname, 'constraint', conname, pg_get_constraintdef(pg_constraint.oid) from own join pg_constraint on conrelid = own.oid where contype <> 'n'
    union all
    select own.relname, 'index', i.relname, pg_get_indexdef(i.oid) from own join pg_index on indrelid = own.oid join pg_class i on i.oid = indexrelid
    union all
    select relname, 'trigger', tgname, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text from own join pg_trigger on tgrelid = own.oid where not tgisinternal`
  return facts.map(fact => ({
    ...fact,
    definition: fact.definition.replaceAll(`${schema}.`, '').replaceAll(`"${schema}".`, '')
  }))
}
