import type { Db } from '@svc/kit'

/** Builds a drizzle statement once for each connection pool: putting its text together costs more than sending it. */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const known = new WeakMap<Db, Statement>()
  return (db) => {
    const statement = known.get(db) ?? build(db)
    known.set(db, statement)
    return statement
  }
}
