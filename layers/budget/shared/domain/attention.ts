/**
 * What the staff should look at: open and over within 7 days; a link that is locked now; a last message that failed, of
 * a budget that is open or decided; a signed PDF that is not ready a minute after the acceptance, or failed.
 */
export const ATTENTION = ['expiring', 'locked', 'undelivered', 'pdf_pending'] as const
export type Attention = typeof ATTENTION[number]
