import { problem, type Problem } from '@svc/kit'

/** Reasons that the screens translate. */
type Reason = 'empty' | 'too_many' | 'not_csv' | 'quotes'

/** `detail`: a sentence for users. `line`: where the unreadable row begins in the file. */
export const unreadable = (reason: Reason, detail: string, line?: number): Problem =>
  problem('file_unreadable', { detail, reason, ...line !== undefined && { line } })
