import type { Finding } from '@svc/kit'

/** What is wrong with a version. */
export type Fault = Pick<Finding, 'code' | 'message' | 'fix'>

/** How to fix rows that the service did not write. */
export const compareWithBackup = (what: string) =>
  `Compare ${what} with a backup: the database was changed directly, not by the service.`
