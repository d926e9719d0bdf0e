/**
 * The database does not answer, accepts no writes, or is too old. The cause is the driver's error. No message contains
 * a password.
 */
export class DatabaseError extends Error {
  readonly code: 'database_unreachable' | 'database_read_only' | 'database_too_old'
  constructor(code: DatabaseError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseError'
    this.code = code
  }
}

export const readOnlyError = () =>
  new DatabaseError(
    'database_read_only',
    'the database is read-only: it is a standby, or default_transaction_read_only is on'
  )
