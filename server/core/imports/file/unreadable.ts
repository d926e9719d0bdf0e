import { problem, type Problem } from '@svc/kit'

/** What the screens say in their languages. */
type Reason = 'empty' | 'too_many' | 'not_csv' | 'quotes'

/** `detail`: a sentence for people. */
export const unreadable = (reason: Reason, detail: string): Problem => problem('file_unreadable', { detail, reason })
