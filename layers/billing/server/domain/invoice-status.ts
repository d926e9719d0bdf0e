export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'cancelled'] as const
export type InvoiceStatus = typeof INVOICE_STATUSES[number]
