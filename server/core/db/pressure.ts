/** SQLSTATE class 53, "insufficient resources", but for too many connections: the next moment may have one. */
const PRESSURE: Record<string, 'database_full' | 'database_overloaded'> = {
  53100: 'database_full',
  53000: 'database_overloaded',
  53200: 'database_overloaded',
  53400: 'database_overloaded'
}

/** What the database lacks; null: the error is about something else. */
export function findPressure(error: unknown): 'database_full' | 'database_overloaded' | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const { code } = current as { code?: unknown }
    if (typeof code === 'string' && PRESSURE[code]) return PRESSURE[code]
  }
  return null
}
