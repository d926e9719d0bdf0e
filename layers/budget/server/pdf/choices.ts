import { punctuationOf } from '@svc/kit/locale'
import type { Offer } from '@svc/sheet/sheet.ts'
import type { DocumentChoice, DocumentLine } from './document.ts'
import { displayNumber } from './format.ts'
import type { Labels } from './labels.ts'

interface Words {
  labels: Labels
  /** For numbers and commas. */ locale: string
  money: (minor: bigint) => string
  /** The place in the mouth, in words. */ place: (line: DocumentLine) => string
}

/** The choices, with the price of each option before the discount on the total. */
export const offered = (choices: readonly DocumentChoice[], words: Words): Offer[] =>
  choices.map(choice => ({
    title: choice.title,
    remark: words.labels.rule(choice),
    options: choice.options.map(option => optionOf(option, words))
  }))

/** The chosen lines in the order of the offer: the base first, then the lines below each choice and its answer. */
export function chosen(items: readonly DocumentLine[], choices: readonly DocumentChoice[], { labels }: Pick<Words, 'labels'>) {
  const taken = choices.map(({ title, options }) => ({ title, option: options.find(({ is_chosen }) => is_chosen) }))
  let at = items.length - taken.reduce((count, { option }) => count + (option?.items.length ?? 0), 0)
  const base = items.slice(0, at)
  const sections = taken.map(({ title, option }) => ({
    title,
    answer: option?.title ?? labels.none,
    items: items.slice(at, at += option?.items.length ?? 0)
  }))
  return { base, sections }
}

/** The options that were not chosen, under one heading. */
export function notChosen(choices: readonly DocumentChoice[], words: Words): Offer[] {
  const options = choices.flatMap(choice => choice.options).filter(({ is_chosen }) => !is_chosen)
  return options.length === 0
    ? []
    : [{ title: words.labels.not_chosen, remark: null, options: options.map(option => optionOf(option, words)) }]
}

function optionOf(
  { title, description, recommended, price, items }: DocumentChoice['options'][number],
  words: Words
): Offer['options'][number] {
  return {
    title,
    badge: recommended ? words.labels.recommended : null,
    text: description,
    amount: words.money(price),
    lines: items.map(item => [lineOf(item, words), words.money(item.price)])
  }
}

function lineOf(item: DocumentLine, { locale, place }: Words): string {
  const times = item.quantity > 1 ? ` × ${displayNumber(item.quantity, locale)}` : ''
  const where = place(item).replaceAll('\n', punctuationOf(locale).comma)
  return `${item.name}${times}${where ? ` · ${where}` : ''}${item.note ? `\n${item.note}` : ''}`
}
