import { problem, type Problem } from '@svc/kit'

/** What the screens say in their languages. */
type Reason = 'empty' | 'too_many' | 'not_csv' | 'quotes'

/** `detail`: a sentence for people. `line`: of the file, where a row begins that can't be read. */
export const unreadable = (reason: Reason, detail: string, line?: number): Problem =>
  problem('file_unreadable', { detail, reason, ...line !== undefined && { line } })
