/**
 * An error as the access log keeps it: short, and without the folders of the machine, since the log leaves the house
 * with the evidence and with a patient's data. The operator finds them in the server's log.
 */
export function errorText(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error)
  return text.replace(/(?<![\w.:/-])(?:[a-z]:)?[/\\](?:[^\s/\\'"]+[/\\])+/gi, '…/').slice(0, 500)
}
