/** SQLSTATE class 53, "insufficient resources", except for "too many connections", which passes in a moment. */
const PRESSURE: Record<string, 'database_full' | 'database_overloaded'> = {
  53100: 'database_full',
  53000: 'database_overloaded',
  53200: 'database_overloaded',
  53400: 'database_overloaded'
}

/** Which resource the database lacks; null if the error has another cause. */
export function findPressure(error: unknown): 'database_full' | 'database_overloaded' | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const { code } = current as { code?: unknown }
    if (typeof code === 'string' && PRESSURE[code]) return PRESSURE[code]
  }
  return null
}
