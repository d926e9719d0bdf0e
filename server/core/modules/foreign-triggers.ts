import { join } from 'node:path'
import { readMigrations, tablesOf } from '../db/migrate.ts'
import type { Discovered } from './discover.ts'

/** A trigger that a module's migrations put on a table that they don't create. */
export interface ForeignTrigger {
  /** The module whose migrations create it. */
  module: string
  trigger: string
  function: string
  table: string
}

interface Statement { verb: string, trigger: string, table: string, function: string | undefined }

/** Reads a statement that creates or drops a trigger; null for any other. */
function readTrigger(statement: string): Statement | null {
  const plain = statement.replaceAll(/--[^\n]*/g, '').replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()
  const head = /^(create|drop) (?:or replace )?(?:constraint )?trigger (?:if exists )?(\w+) /i.exec(plain)
  const place = / on (?:\w+\.)?(\w+)/i.exec(plain)
  if (!head || !place) return null
  const called = / execute (?:function|procedure) (?:\w+\.)?(\w+)/i.exec(plain)
  return { verb: head[1]!.toLowerCase(), trigger: head[2]!, table: place[1]!, function: called?.[1] }
}

/** Reads only the files and needs no database. The result includes a trigger that a later file drops again. */
export function findForeignTriggers({ name, folder, manifest }: Discovered): ForeignTrigger[] {
  if (!manifest?.migrations) return []
  const branch = join(folder, manifest.migrations)
  const own = new Set(tablesOf(branch))
  return readMigrations(branch)
    .flatMap(({ up }) => up.split(';').map(readTrigger))
    .filter(statement => statement?.verb === 'create' && !own.has(statement.table))
    .map(statement => ({
      module: name,
      trigger: statement!.trigger,
      function: statement!.function ?? '?',
      table: statement!.table
    }))
}

/**
 * A migration without its statements on other modules' tables, so that it can run in a separate schema: there, such a
 * statement would change the real tables.
 */
export function withoutForeignTriggers(text: string, own: readonly string[]): string {
  const isForeign = (statement: string) => {
    const found = readTrigger(statement)
    return found !== null && !own.includes(found.table)
  }
  return text.split(';').filter(statement => !isForeign(statement)).join(';')
}

/** `owner`: the module that owns the table; null if none does. */
export const describeForeignTrigger = (found: ForeignTrigger, owner: string | null) =>
  `${found.module} has the trigger ${found.trigger} with the function ${found.function}() on the table ${found.table}, which ${owner ? `belongs to ${owner}` : 'is not its own'}.`
