import type { ModuleClause } from '@svc/kit'
import canonicalize from 'canonicalize'
import type { Choice, Option } from '../../../shared/domain/selection.ts'
import type { ContentLine, PricedContent } from '../log/content.ts'

/** The content of the decision, as RFC 8785 JSON, without the person: clinic, treatments and prices stay. */
export function emptiedContent(text: string): string {
  const content = JSON.parse(text) as PricedContent
  const person = { patient: { first_name: '', last_name: '' }, patient_notes: null }
  const offer = content.offer && { offer: emptiedOffer(content.offer) }
  const clauses = content.clauses && { clauses: withoutWording(content.clauses) }
  return canonicalize({ ...content, items: content.items.map(withoutNote), ...person, ...offer, ...clauses })!
}

const withoutNote = ({ note: _note, ...line }: ContentLine) => line

const emptiedOffer = (offer: NonNullable<PricedContent['offer']>): PricedContent['offer'] => ({
  ...offer,
  items: offer.items.map(withoutNote),
  choices: withoutDescriptions(offer.choices).map(choice => ({
    ...choice,
    options: choice.options.map(option => ({ ...option, items: option.items.map(withoutNote) }))
  }))
})

/** The clinic's text about an option may be about the person, like notes. */
export const withoutDescriptions = <O extends Option>(choices: (Omit<Choice, 'options'> & { options: O[] })[]) =>
  choices.map(choice => ({
    ...choice,
    options: choice.options.map(option => ({ ...option, description: null }))
  }))

/** A module's sentence may name the person. Its title stays, like that of an option. */
export const withoutWording = (clauses: ModuleClause[]): ModuleClause[] =>
  clauses.map(clause => ({ ...clause, text: '' }))
