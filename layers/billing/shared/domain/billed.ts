import type { InvoiceStatus } from './invoice-state.ts'

/** Where an amount of a budget is. Each is in exactly one place. */
export type Place = 'invoiced' | 'open' | 'cancelled'

/** In minor units. */
export type Billed = Record<Place, bigint>

/** Issued invoices keep their amount in this place, also if credit notes took it off. */
export function placeOf({ status, number }: { status: InvoiceStatus, number: string | null }): Place {
  if (status === 'draft') return 'open'
  return number === null || status === 'cancelled' ? 'cancelled' : 'invoiced'
}

/** The amounts of an accepted line or budget. What is not drafted yet is open. */
export function sumBilled(accepted: bigint, lines: readonly { place: Place, price: bigint }[]): Billed {
  const sumOf = (place: Place) => lines.reduce((sum, line) => line.place === place ? sum + line.price : sum, 0n)
  const [invoiced, cancelled] = [sumOf('invoiced'), sumOf('cancelled')]
  return { invoiced, cancelled, open: accepted - invoiced - cancelled }
}
