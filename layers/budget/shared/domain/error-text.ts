/**
 * An error for the access log: short, and without folders of the machine, since the log is handed out with the evidence
 * and with a patient's data. The operator finds the folders in the server's log.
 */
export function errorText(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error)
  return text.replace(/(?<![\w.:/-])(?:[a-z]:)?[/\\](?:[^\s/\\'"]+[/\\])+/gi, '…/').slice(0, 500)
}
