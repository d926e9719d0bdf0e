import type { Finding } from '@svc/kit'

/** What is wrong with a version. */
export type Fault = Pick<Finding, 'code' | 'message' | 'fix'>

/** What to do about rows that aren't what the service wrote. */
export const compareWithBackup = (what: string) =>
  `Compare ${what} with a backup: the database was changed directly, not by the service.`
