/**
 * What needs the staff's attention: a question of the patient that no one has answered or marked as read; an open
 * budget that expires within 7 days; a link that is locked now; a failed last message of an open or decided budget; a
 * signed PDF that failed, or is not ready a minute after the acceptance; a withdrawn acceptance with an issued invoice;
 * a withdrawn or cancelled budget with an advance that was not returned.
 */
export const ATTENTION = [
  'question',
  'expiring',
  'locked',
  'undelivered',
  'pdf_pending',
  'withdrawn_invoiced',
  'withdrawn_paid'
] as const
export type Attention = typeof ATTENTION[number]
