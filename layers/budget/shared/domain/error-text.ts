/**
 * A short error for the access log, without paths of the machine, since the log is part of the evidence and of a
 * patient's data. Operators find the paths in the server's log.
 */
export function errorText(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error)
  return text.replace(/(?<![\w.:/-])(?:[a-z]:)?[/\\](?:[^\s/\\'"]+[/\\])+/gi, '…/').slice(0, 500)
}
