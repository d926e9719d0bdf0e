import { problem, type Problem } from '@svc/kit'

/** `reason`: a sentence for people. */
export const unreadable = (reason: string): Problem => problem('file_unreadable', { detail: reason })
