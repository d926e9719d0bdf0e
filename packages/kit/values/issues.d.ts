/** What zod says of a value that a schema refuses. */
interface Issue {
  readonly code?: string
  readonly [detail: string]: unknown
}

/**
 * A sentence for what zod finds: `schema.safeParse(input, { error: describeIssue })`. A schema's own message goes
 * first.
 */
export function describeIssue(issue: Issue): string
/** The same behind a name: "must be a whole number". */
export function phraseIssue(issue: Issue): string
