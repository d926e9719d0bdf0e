import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ProblemTable } from '@svc/kit'
import { describe, expect, test } from 'vitest'
import { coreProblems } from '../../server/core/http/problems.ts'
import { textsOf, type Texts } from '../support/texts.ts'

const root = resolve(import.meta.dirname, '../..')

const shell = readdirSync(join(root, 'app'), { withFileTypes: true, recursive: true })
  .filter(entry => entry.isFile() && /\.(?:vue|ts)$/.test(entry.name))
  .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
/** What the screens show without an answer of the server: full keys, or the code of an error that they create. */
const CLIENT = shell.flatMap(source =>
  [...source.matchAll(/'problem\.(\w+)'|\bcode: '(\w+)'/g)].map(([, named, made]) => (named ?? made)!)
)

/** Codes without a text on the clinic's screens, with the reason. */
const NO_TEXT: Record<string, Record<string, string>> = {
  core: {
    bad_request: 'the screens send nothing that cannot be read',
    cross_origin: 'the screens send from their own address',
    method_not_allowed: 'the screens send no such method',
    unsupported_media_type: 'the screens send JSON',
    expectation_failed: 'no browser sends Expect',
    idempotency_running: 'the screens name no request',
    idempotency_mismatch: 'the screens name no request',
    headers_too_large: 'the headers are the browser\'s own',
    foreign_event: 'a mistake in a module’s code, for its author',
    grant_missing: 'a mistake in a module’s code, for its author',
    outgoing_refused: 'a mistake in a module’s code, for its author, or the module’s own sentence',
    foreign_channel: 'a mistake in a module’s code, for its author',
    foreign_delivery: 'an answer to a provider’s webhook, for its author',
    undeliverable: 'jobs deliver, and their callers say what they know',
    module_refused: 'the reasons, which only the server knows, are its detail',
    orphan_modules: 'the names and the ways out, which only the server knows, are its detail'
  },
  budget: {
    discount_exceeds_total: 'the editor counts itself and says budget.editor.exceeds',
    link_not_found: 'patient\'s page: a state of its own',
    channel_not_ready: 'the reason, which only the channel knows, is its detail',
    code_required: 'patient\'s page: a state of its own',
    same_channel: 'patient\'s page: budget.code.same_channel',
    code_unavailable: 'patient\'s page: budget.code.unavailable',
    code_wrong: 'patient\'s page: budget.code.wrong',
    link_locked: 'patient\'s page: a state of its own',
    not_signed: 'the buttons for it are disabled with budget.detail.reason.not_signed'
  },
  billing: {
    over_payment: 'the payment dialog says billing.payment.too_much',
    over_advance: 'the return dialog says billing.give_back.too_much'
  },
  payments: {
    pay_link_not_found: 'page of the patient: a state of its own',
    signature_wrong: 'an answer to a provider’s webhook, for its author'
  },
  sms: { signature_wrong: 'an answer to a provider’s webhook, for its author' }
}

const moduleNames = readdirSync(join(root, 'layers'))
const tables: Record<string, ProblemTable> = { core: coreProblems }
for (const name of moduleNames) {
  const file = join(root, 'layers', name, 'server/problems.ts')
  if (existsSync(file)) tables[name] = ((await import(file)) as { problems: ProblemTable }).problems
}
const homes = ['core', ...moduleNames]

function keysOf(home: string): { shared: string[], own: string[] } {
  const texts = textsOf(join(home === 'core' ? '.' : join('layers', home), 'i18n/staff'), 'en')
  const below = (texts: Texts | string | undefined) => typeof texts === 'object' ? Object.keys(texts) : []
  return { shared: below(texts.problem), own: below((texts[home] as Texts | undefined)?.problem) }
}

const core = keysOf('core').shared

describe.each(homes)('the problems of %s', (home) => {
  const { shared, own } = keysOf(home)
  const codes = Object.keys(tables[home] ?? {})

  test('have a text in their own module, or are listed here with the reason', () => {
    // A module can rely on its own texts and on those of the core, but not on those of another module.
    const told = new Set([...shared, ...own, ...core])
    expect(codes.filter(code => !told.has(code)).sort()).toEqual(Object.keys(NO_TEXT[home] ?? {}).sort())
  })

  test('have no text for a code that is never answered', () => {
    const possible = new Set([...codes, ...Object.keys(coreProblems), ...home === 'core' ? CLIENT : []])
    expect([...shared, ...own].filter(key => !possible.has(key))).toEqual([])
  })
})

test('a code in several tables has a text in each module, so that each answer uses the words of its own module', () => {
  const isAmbiguous = (code: string) =>
    code in coreProblems || Object.values(tables).filter(table => code in table).length > 1
  expect(
    moduleNames.flatMap(home =>
      keysOf(home)
        .shared.filter(isAmbiguous)
        .map(code => `${home}: problem.${code}`)
    )
  ).toEqual([])
})
