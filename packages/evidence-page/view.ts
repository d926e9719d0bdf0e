import { displayAmount, displayLocale, punctuationOf } from '@svc/kit/locale'
import type { DecisionRecord } from './types.ts'
import type { Beside } from './check-beside.ts'
import type { Report } from './check-evidence.ts'
import { LANGUAGES, type Language, type TextKey } from './texts.ts'

/** The word, shape and colour of each result, so that it doesn't depend on colour alone. */
type Tone = 'right' | 'wrong' | 'open'

export interface Content {
  number: string
  version: number
  clinic: { name: string }
  patient: { first_name: string, last_name: string }
  currency: string
  totals: { total: string }
  /** The conditions that were accepted with it; absent if there were none. */
  clauses?: { title: string, text: string }[]
}

/** Everything that the page shows. `beside` is null until the files were chosen or read. */
export interface State {
  language: Language
  insecure: boolean
  copies: Report | null
  /** Only if the copies are intact. */
  facts: { content: Content, record: DecisionRecord } | null
  beside: Beside & { /** Read by the page itself, over the network. */ served: boolean } | null
  busy: boolean
  unreadable: string | null
  /** Names of all files of the evidence. */
  names: readonly string[]
  copied: readonly string[]
}

type Translate = (key: TextKey, values?: Record<string, string | number>) => string

const at = (id: string) => document.getElementById(id)!

/** Redraws the page. Live regions stay in place and change their content, so that screen readers announce it. */
export function draw(state: State): void {
  const translate: Translate = (key, values = {}) =>
    LANGUAGES[state.language][key].replace(/\{(\w+)\}/g, (_, name: string) => `\u2068${values[name]}\u2069`)
  document.documentElement.lang = state.language
  document.documentElement.dir = state.language === 'ar' ? 'rtl' : 'ltr'
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = translate(element.dataset.text as TextKey)

  const title = state.facts ? translate('title', { number: state.facts.content.number }) : translate('untitled')
  at('title').textContent = title
  document.title = title
  drawVerdict('copies-verdict', translate, copiesVerdict(state, translate))
  drawVerdict('beside-verdict', translate, besideVerdict(state, translate))
  drawFacts(state, translate)
  drawClauses(state)
  at('checks-list').replaceChildren(
    ...(state.copies?.checks ?? []).map(({ name, ok }) =>
      element(
        'li',
        {},
        mark(toneOf(ok), translate(ok === null ? 'unknown' : ok ? 'right' : 'wrong')),
        element('p', {}, translate(name))
      )
    )
  )
  at('files-list').replaceChildren(...fileRows(state, translate))
  drawLimits(state)
}

const toneOf = (ok: boolean | null): Tone => ok === null ? 'open' : ok ? 'right' : 'wrong'

interface Verdict { tone: Tone, word: TextKey, sentences: string[] }

function copiesVerdict({ copies, insecure, language }: State, translate: Translate): Verdict {
  if (insecure) return { tone: 'open', word: 'not_checked', sentences: [translate('insecure')] }
  if (!copies) return { tone: 'open', word: 'checking', sentences: [] }
  if (copies.ok) return { tone: 'right', word: 'whole', sentences: [translate('copies_whole')] }
  const files = [...new Set(copies.checks.flatMap(check => check.blame))].join(punctuationOf(language).comma)
  return { tone: 'wrong', word: 'broken', sentences: [translate('copies_broken', { files })] }
}

function besideVerdict({ beside, busy, copies, insecure, unreadable, language }: State, translate: Translate): Verdict {
  if (busy) return { tone: 'open', word: 'checking', sentences: [] }
  if (unreadable !== null)
    return { tone: 'wrong', word: 'broken', sentences: [translate('unreadable', { file: unreadable })] }
  if (!beside || insecure) return { tone: 'open', word: 'not_checked', sentences: insecure ? [] : [translate('beside_open')] }
  if (!beside.ok)
    return { tone: 'wrong', word: 'broken', sentences: [translate('beside_broken'), ...faults(beside, language, translate)] }
  if (!copies?.ok) return { tone: 'wrong', word: 'broken', sentences: [translate('beside_copies')] }
  return { tone: 'right', word: 'whole', sentences: [translate(beside.served ? 'beside_served' : 'beside_whole')] }
}

const faults = (beside: Beside, language: Language, translate: Translate): string[] =>
  (['changed', 'missing', 'extra'] as const).flatMap(fault =>
    beside[fault].length > 0 ? [translate(fault, { files: beside[fault].join(punctuationOf(language).comma) })] : []
  )

function drawVerdict(id: string, translate: Translate, { tone, word, sentences }: Verdict): void {
  const verdict = at(id)
  verdict.dataset.state = tone
  const fresh = element(
    'div',
    {},
    element('p', { class: 'word' }, mark(tone, translate(word))),
    ...sentences.map(sentence => element('p', {}, sentence))
  )
  const status = verdict.querySelector('[role=status]')!
  // Screen readers would announce unchanged text again.
  if (status.textContent !== fresh.textContent) status.replaceChildren(...fresh.childNodes)
}

function drawFacts({ facts, copies, language }: State, translate: Translate): void {
  at('facts-section').hidden = !facts
  if (!facts) return
  const { content, record } = facts
  const instant = (iso: string, timeZone: string) =>
    new Intl.DateTimeFormat(displayLocale(language), { dateStyle: 'long', timeStyle: 'long', timeZone }).format(
      new Date(iso)
    )
  const rows: [TextKey, string][] = [
    ['clinic', content.clinic.name],
    ['patient', `${content.patient.first_name} ${content.patient.last_name}`],
    ['signer', record.signer_name],
    ['total', displayAmount(content.totals.total, content.currency, language)],
    ['when', instant(record.decided_at, record.time_zone)],
    ['utc', instant(record.decided_at, 'UTC')],
    ['made', instant(copies!.list!.made_at, record.time_zone)]
  ]
  at('facts-list').replaceChildren(
    ...rows.map(([key, text]) =>
      element('div', {}, element('dt', {}, translate(key)), element('dd', {}, element('bdi', {}, text)))
    )
  )
}

function drawClauses({ facts }: State): void {
  const clauses = facts?.content.clauses ?? []
  at('clauses').hidden = clauses.length === 0
  at('clauses-list').replaceChildren(
    ...clauses.map(({ title, text }) =>
      element('li', {}, element('h4', { dir: 'auto' }, title), element('p', { class: 'wording', dir: 'auto' }, text))
    )
  )
}

function fileRows({ copies, beside, names, copied }: State, translate: Translate): HTMLElement[] {
  const blamed = copies?.checks.flatMap(check => check.blame) ?? []
  const copy = (name: string) =>
    !copied.includes(name) && !blamed.includes(name)
      ? '–'
      : mark(
          !copies ? 'open' : blamed.includes(name) ? 'wrong' : 'right',
          translate(
            !copies ? 'is_open' : !copied.includes(name) ? 'is_missing' : blamed.includes(name) ? 'is_changed' : 'right'
          )
        )
  const near = (name: string) => {
    if (!beside) return mark('open', translate('is_open'))
    const fault = (['changed', 'missing', 'extra'] as const).find(one => beside[one].includes(name))
    return fault ? mark('wrong', translate(`is_${fault}`)) : mark('right', translate('right'))
  }
  return [...new Set([...names, ...blamed, ...(beside?.extra ?? [])])].map(name =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('bdi', {}, name)),
      element('td', {}, copy(name)),
      element('td', {}, near(name))
    )
  )
}

function drawLimits({ copies }: State): void {
  const list = copies?.list
  const url = list?.check_url ?? ''
  const link = at('verify') as HTMLAnchorElement
  link.textContent = url
  if (/^https?:\/\//.test(url)) link.href = url // links with any other scheme could be harmful
  at('fingerprint').textContent = list?.certificate.sha256 ?? '–'
  const other = copies?.seal.certificate
  const differs = Boolean(other && list && other !== list.certificate.sha256)
  at('other-seal').hidden = !differs
  at('other-fingerprint').textContent = differs ? other! : ''
}

const SHAPES: Record<Tone, string> = { right: 'M4 12.5 9.5 18 20 6.5', wrong: 'M6 6 18 18M18 6 6 18', open: 'M6 12H18' }

function mark(tone: Tone, word: string): HTMLElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  const attributes = {
    'd': SHAPES[tone],
    'fill': 'none',
    'stroke': 'currentColor',
    'stroke-width': '2.5',
    'stroke-linecap': 'round'
  }
  for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value)
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(path)
  const shown = element('span', { 'class': 'state', 'data-state': tone }, word)
  shown.prepend(svg)
  return shown
}

/** Inserts text as text, so that a name is never parsed as HTML. */
function element(tag: string, attributes: Record<string, string>, ...inside: (string | Element)[]): HTMLElement {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...inside)
  return made
}
