import canonicalize from 'canonicalize'
import type { PricedContent } from '../proof/content.ts'

/** The content that was decided on, as RFC 8785 JSON, without the person: clinic, treatments and prices stay. */
export function emptiedContent(text: string): string {
  const content = JSON.parse(text) as PricedContent
  const items = content.items.map(({ note: _note, ...item }) => item)
  return canonicalize({ ...content, items, patient: { first_name: '', last_name: '' }, patient_notes: null })!
}
