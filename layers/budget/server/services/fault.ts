import type { Finding } from '@svc/kit'

/** What is wrong with a version. */
export type Fault = Pick<Finding, 'code' | 'message' | 'fix'>
