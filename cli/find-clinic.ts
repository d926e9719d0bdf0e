import type { Sql } from 'postgres'
import { CliError, EXIT } from './errors.ts'

/** Finds a clinic by its id, or by a name that only one clinic has. */
export async function findClinic(sql: Sql, word: string): Promise<string> {
  const found = await sql<
    { id: string }[]
  >`select id::text from core_clinic where id::text = lower(${word}) or lower(name) = lower(${word})`
  if (found.length === 1) return found[0]!.id
  const message
    = found.length === 0 ? `There is no clinic "${word}".` : `${found.length} clinics are called "${word}"; give the id.`
  throw new CliError({ code: 'unknown_clinic', message, exit: EXIT.usage })
}
