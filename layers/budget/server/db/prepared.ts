import type { Db } from '@svc/kit'

/**
 * Builds a drizzle statement once for each connection pool: putting its text together costs more than sending it.
 * `candidates` is how many values it compares a look-up with, which is the same for the whole life of a process.
 */
export function prepared<Statement>(
  build: (db: Db, candidates: number) => Statement
): (db: Db, candidates: number) => Statement {
  const known = new WeakMap<Db, Map<number, Statement>>()
  return (db, candidates) => {
    const ofPool = known.get(db) ?? new Map<number, Statement>()
    const statement = ofPool.get(candidates) ?? build(db, candidates)
    known.set(db, ofPool.set(candidates, statement))
    return statement
  }
}
