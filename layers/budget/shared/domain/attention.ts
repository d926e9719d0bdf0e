/**
 * What the staff should look at: a question of the patient that no one has answered or marked read; open and over
 * within 7 days; a link that is locked now; a last message that failed, of a budget that is open or decided; a signed
 * PDF that is not ready a minute after the acceptance, or failed; an acceptance that was withdrawn, with an invoice
 * that was issued.
 */
export const ATTENTION = [
  'question',
  'expiring',
  'locked',
  'undelivered',
  'pdf_pending',
  'withdrawn_invoiced'
] as const
export type Attention = typeof ATTENTION[number]
