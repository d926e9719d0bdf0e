/** zod's description of a value that a schema refuses. */
interface Issue {
  readonly code?: string
  readonly [detail: string]: unknown
}

/**
 * A sentence for an issue of zod: `schema.safeParse(input, { error: describeIssue })`. A schema's own message takes
 * precedence.
 */
export function describeIssue(issue: Issue): string
/** The same as a phrase after a name: "must be a whole number". */
export function phraseIssue(issue: Issue): string
