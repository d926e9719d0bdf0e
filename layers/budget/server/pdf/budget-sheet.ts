import { displayPercent, punctuationOf } from '@svc/kit/locale'
import { displayMoney } from '@svc/kit/money'
import type { Acceptance, Column, Fact, Sheet, Sums } from '@svc/sheet/sheet.ts'
import type { BudgetDocument, DocumentDecision, DocumentLine } from './document.ts'
import { displayDate, displayDay, displayInstant, displayNumber } from './format.ts'
import { labelsFor, type Labels } from './labels.ts'
import { chosen, notChosen, offered } from './choices.ts'
import { teethFigure } from './teeth-figure.ts'
import type { Discount } from '../../shared/domain/pricing.ts'
import { teethText, type Notation } from '../../shared/domain/teeth.ts'

interface Words {
  labels: Labels
  notation: Notation
  /** For numbers, dates and commas. */ locale: string
  money: (minor: bigint) => string
}

/** The contents of a budget's PDF in plain values. Pure. */
export function budgetSheet(document: BudgetDocument): Sheet {
  const { labels, language, format_locale: locale } = labelsFor(document.locale)
  const money = (minor: bigint) => displayMoney(minor, document.currency, locale)
  const { tooth_notation: notation, deciduous } = document
  const words: Words = { labels, notation, locale, money }
  const { number, version, status, notes, clauses, decision, valid_until } = document
  return {
    language,
    title: labels.title,
    state: status === 'sent' ? null : labels.status[status],
    number,
    below: `${labels.version} ${version}`,
    banner: null,
    named: [
      [labels.patient, document.patient_name],
      [labels.professional, clinicianOf(document, labels)]
    ],
    short: [
      [labels.date, displayDay(document.dated_at, locale, document.time_zone)],
      [labels.valid, valid_until ? labels.until(displayDate(valid_until, locale)) : '–']
    ],
    ...treatments(document, words),
    ...choicesOf(document, words),
    sums: sumsOf(document, words),
    figure: teethFigure({
      lines: placedLines(document),
      notation,
      deciduous,
      labels: labels.teeth,
      tooth: labels.tooth,
      locale
    }),
    notes: notes ? { title: labels.notes, text: notes } : null,
    terms: clauses.length > 0 ? { title: labels.clauses, items: clauses } : null,
    acceptance: decision && acceptanceOf(document, decision, words),
    page: labels.page,
    subject: `${number} · ${version}`,
    dated_at: decision?.decided_at ?? document.dated_at
  }
}

function clinicianOf({ professional_name: name, professional_license: license }: BudgetDocument, labels: Labels) {
  return [name ?? labels.unassigned, name && license && labels.license(license)].filter(Boolean).join('\n')
}

/** Columns that no line uses are left out. */
function treatments(document: BudgetDocument, words: Words): Pick<Sheet, 'columns' | 'rows' | 'sections'> {
  const { items, choices } = document
  const { labels, locale, money } = words
  const placeOf = (item: DocumentLine) => placeText(item, words)
  const isReduced = ({ original_price, price }: DocumentLine) => original_price !== price
  const cells: { column: Column, cell: (item: DocumentLine) => string, isNeeded?: boolean }[] = [
    { column: { title: labels.treatment, kind: 'name' }, cell: nameOf },
    { column: { title: labels.tooth, kind: 'detail' }, cell: placeOf, isNeeded: items.some(placeOf) },
    { column: { title: labels.quantity, kind: 'figure' }, cell: item => displayNumber(item.quantity, locale) },
    {
      column: { title: labels.original_price, kind: 'struck' },
      cell: item => isReduced(item) ? money(item.original_price) : '',
      isNeeded: items.some(isReduced)
    },
    { column: { title: labels.price, kind: 'amount' }, cell: item => money(item.price) }
  ]
  const shown = cells.filter(({ isNeeded = true }) => isNeeded)
  const rowsOf = (items: readonly DocumentLine[]) => items.map(item => shown.map(({ cell }) => cell(item)))
  const columns = shown.map(({ column }) => column)
  if (choices.length === 0 || !isChosen(document)) return { columns, rows: rowsOf(items) }
  const { base, sections } = chosen(items, choices, words)
  return { columns, rows: rowsOf(base), sections: sections.map(({ items, ...of }) => ({ ...of, rows: rowsOf(items) })) }
}

/** True if nothing is left to choose, also for the unsigned PDF of an accepted version. */
const isChosen = ({ decision, range }: BudgetDocument) => decision !== null || range === null

function choicesOf(document: BudgetDocument, words: Words): Pick<Sheet, 'table_title' | 'offers' | 'left_out'> {
  const { choices } = document
  if (choices.length === 0) return {}
  const { labels, locale, money } = words
  const own = { labels, locale, money, place: (item: DocumentLine) => placeText(item, words) }
  return isChosen(document)
    ? { left_out: notChosen(choices, own) }
    : { table_title: labels.base, offers: offered(choices, own) }
}

/**
 * The lines to draw. While the patient can still choose, these include the lines of options, named after their option.
 */
const placedLines = (document: BudgetDocument) => [
  ...document.items.map(({ name, place }) => ({ name, ...place })),
  ...(isChosen(document) ? [] : document.choices)
    .flatMap(({ options }) => options)
    .flatMap(option => option.items.map(({ name, place }) => ({ name: `${name} – ${option.title}`, ...place })))
]

const nameOf = ({ name, note }: DocumentLine): string => note ? `${name}\n${note}` : name

const placeText = ({ place }: DocumentLine, { labels: { teeth }, notation, locale }: Words): string =>
  [teethText(place, notation, punctuationOf(locale).comma), place.area && teeth.area[place.area], place.site]
    .filter(Boolean)
    .join('\n')

/** Original price, discount, and total with its tax; while there are choices, the range of totals. */
const sumsOf = ({ totals, range }: BudgetDocument, words: Words): Sums => range
  ? {
      above: range.discount ? [[words.labels.global_discount, discountText(range.discount, words)]] : [],
      total: [words.labels.total, words.labels.range(words.money(range.from), words.money(range.to))],
      below: [],
      remark: words.labels.depends
    }
  : sumsOfOne(totals, words)

function discountText(discount: Discount, { locale, money }: Words): string {
  return discount.type === 'percent' ? displayPercent(discount.value, locale) : money(discount.value)
}

const sumsOfOne = ({ original, discount, total, tax }: BudgetDocument['totals'], { labels, money }: Words): Sums => ({
  above: discount === 0n
    ? []
    : [[labels.original_total, money(original)], [labels.discount, money(-discount).replace('-', '−')]],
  total: [labels.total, money(total)],
  below: [],
  remark: tax === 0n ? labels.no_tax : labels.tax_included(money(tax))
})

function acceptanceOf(document: BudgetDocument, decision: DocumentDecision, words: Words): Acceptance {
  const { labels, locale, money } = words
  return {
    title: labels.decision,
    statement: [
      labels.statement(document.number, document.version, money(document.totals.total)),
      decision.consent
    ].filter(Boolean).join('\n'),
    facts: factsOf(decision, document.time_zone, labels, locale),
    digest: [labels.content_digest, decision.content_digest],
    signature: {
      label: labels.signature,
      name: decision.signer_name,
      method: decision.method,
      image: decision.image,
      sentence: labels.click_statement
    },
    check: { title: labels.check, url: decision.check_url, hint: labels.check_hint }
  }
}

function factsOf(decision: DocumentDecision, timeZone: string, labels: Labels, locale: string): Fact[] {
  const local: Fact[] = timeZone === 'UTC' ? [] : [['', displayInstant(decision.decided_at, locale, timeZone)]]
  const { comma } = punctuationOf(locale)
  return [
    [labels.signer, decision.signer_name],
    [labels.relationship, labels.relationships[decision.relationship]],
    [labels.method, `${labels.methods[decision.method]}${comma}${labels.via[decision.decided_via]}`],
    [labels.decided_at, displayInstant(decision.decided_at, locale, 'UTC')],
    ...local
  ]
}
