import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pluralForms } from '../../i18n/plural-rule.ts'
import { LANGUAGES, textsOf, type Texts } from '../support/texts.ts'

const root = resolve(import.meta.dirname, '../..')
/**
 * Texts that are the same word in other languages, names, and texts that users type. Any other text that equals the
 * English one has no translation.
 */
const SAME_ELSEWHERE: Record<string, string[]> = {
  es: [
    'Error',
    'Error, {time}',
    'FDI (ISO 3950)',
    'No',
    'Palmer',
    'SMS',
    'Total',
    'Total: {total}',
    'Twilio',
    'URL',
    'Webhook',
    'Webhooks',
    'WhatsApp',
    '{ms} ms'
  ],
  fr: [
    'Actions',
    'Code',
    'Conditions',
    'Date',
    'Description',
    'Description ({language})',
    'FDI (ISO 3950)',
    'Invitation',
    'Logo',
    'Module',
    'Modules',
    'Pages',
    'Palmer',
    'Patient',
    'Patients',
    'SMS',
    'Signature',
    'Total',
    'Twilio',
    'URL',
    'Version',
    'Version {version}',
    'Versions',
    'Via',
    'Webhook',
    'Webhooks',
    'WhatsApp',
    'canine',
    'version {n}',
    'version {version}',
    '{ms} ms',
    '{n} table, {rows} | {n} tables, {rows}'
  ],
  de: [
    'Code',
    'Community',
    'Details',
    'FDI (ISO 3950)',
    'Import',
    'Link',
    'Logo',
    'Name',
    'Name ({language})',
    'Option {n}',
    'Palmer',
    'Passkey',
    'Problem',
    'SMS',
    'Status',
    'System',
    'Twilio',
    'URL',
    'Version',
    'Version {version}',
    'Webhook',
    'Webhooks',
    'WhatsApp',
    '(optional)',
    '{ms} ms'
  ],
  pt: [
    'FDI (ISO 3950)', 'Link', 'Palmer', 'SMS', 'Total', 'Total: {total}', 'Twilio', 'URL', 'Webhook', 'Webhooks',
    'WhatsApp', '{ms} ms'
  ],
  ar: ['FDI (ISO 3950)', 'Twilio']
}

const homes = ['.', ...readdirSync(join(root, 'layers')).map(layer => join('layers', layer))]
/**
 * The texts of public pages are separate from those of the clinic's screens, so that a patient's phone loads no others.
 */
const folders = homes
  .flatMap(home => ['locales', 'staff'].map(kind => join(home, 'i18n', kind)))
  .filter(folder => existsSync(join(root, folder)))

const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[prefix + key, text]] : flat(text, `${prefix}${key}.`)
  )

const flatOf = (folder: string, locale: string) => new Map(flat(textsOf(folder, locale)))

const known = new Set(folders.flatMap(folder => [...flatOf(folder, 'en').keys()]))

const sources = ['app', ...homes.map(home => join(home, 'app'))]
  .filter(folder => existsSync(join(root, folder)))
  .flatMap(folder =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && /\.(?:vue|ts)$/.test(entry.name))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  )

/** Every text literal of the screens, and template literals with `*` for their placeholders. */
const literals = sources.flatMap(source => [...source.matchAll(/'([\w.]+)'|`([\w.]*(?:\$\{[^`]*?\}[\w.]*)+)`/g)]
  .map(match => match[1] ?? match[2]!.replace(/\$\{.*?\}/g, '*')))

const manifests = homes.map(home => (JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8')) as
  { svc?: { name: string, permissions?: string[], navigation?: { label: string }[] } }).svc)
const labels = manifests.flatMap(manifest => manifest?.navigation?.map(({ label }) => label) ?? [])
/** `budget.write` and `budget.sent` look like keys. */
const permissions = manifests.flatMap(
  manifest => manifest?.permissions?.map(permission => `${manifest.name}.${permission}`) ?? []
)
const kit = join(root, 'packages/kit/src/modules')
const events = readdirSync(kit).map(file => join(kit, file))
  .flatMap(file => [...readFileSync(file, 'utf8').matchAll(/'(\w+\.\w+)'/g)].map(match => match[1]!))
const noTexts = new Set([
  ...permissions,
  ...events,
  ...['users', 'clinic', 'webhooks', 'modules', 'privacy'].map(what => `${what}.manage`)
])

/** A module's PDFs name their texts as members of `pdf`, which TypeScript checks. */
const onPaper = homes.filter(home => existsSync(join(root, home, 'server/pdf/labels.ts'))).flatMap(home =>
  [...readFileSync(join(root, home, 'server/pdf/labels.ts'), 'utf8').matchAll(/\bpdf(?:\.(\w+)|[ ,}])/g)].map(match =>
    `${home.split('/').at(-1)}.pdf.${match[1] ?? '*'}`))

const used = [...new Set([...literals, ...labels, ...onPaper])]
const exact = new Set(used)
const patterns = used.filter(literal => literal.includes('*') && literal.includes('.')).map(literal => ({
  literal, expression: new RegExp(`^${literal.replaceAll('.', '\\.').replaceAll('*', '\\w+')}$`)
}))
const isUsed = (key: string) => exact.has(key) || patterns.some(({ expression }) => expression.test(key))

const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const formsIn = (text: string) => text.split(' | ').length
/**
 * The three English plural forms are zero, one and other. A language with its own form for zero already includes it.
 */
function formsFor(locale: string, english: number): number {
  const own = pluralForms(locale)
  return english < 2 ? 1 : own.length + (english > 2 && !own.includes('zero') ? 1 : 0)
}
const hasWords = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, ''))

describe.each(folders)('the texts in %s', (folder) => {
  const english = flatOf(folder, 'en')

  test('are all used', () => {
    expect([...english.keys()].filter(key => !isUsed(key))).toEqual([])
  })

  test.each(LANGUAGES.slice(1))('have the same keys and placeholders in %s as in English', (locale) => {
    const other = flatOf(folder, locale)
    expect([...other.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of english) expect(namesIn(other.get(key)!), key).toEqual(namesIn(text))
  })

  test.each(LANGUAGES.slice(1))('have the plural forms that %s needs, and none is empty', (locale) => {
    const other = flatOf(folder, locale)
    const odd = [...english].filter(
      ([key, text]) => !other.get(key)?.trim() || formsIn(other.get(key)!) !== formsFor(locale, formsIn(text))
    )
    expect(odd.map(([key]) => key)).toEqual([])
  })

  test.each(LANGUAGES.slice(1))('are translated into %s', (locale) => {
    const other = flatOf(folder, locale)
    const left = [...english].filter(
      ([key, text]) => other.get(key) === text && hasWords(text) && !SAME_ELSEWHERE[locale]!.includes(text)
    )
    expect(left.map(([key, text]) => `${key}: ${text}`)).toEqual([])
  })
})

test('a key is in one file only, because screens read all files together', () => {
  const keys = folders.flatMap(folder => [...flatOf(folder, 'en').keys()])
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('every key that a screen uses exists', () => {
  const spaces = new Set([...known].map(key => key.split('.')[0]))
  const asked = sources.flatMap(source => [...source.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(match => match[1]!))
  const named = used.filter(
    literal =>
      literal.includes('.') && !literal.includes('*') && spaces.has(literal.split('.')[0]!) && !noTexts.has(literal)
  )
  expect([...new Set([...asked, ...labels, ...named])].filter(key => !known.has(key))).toEqual([])
  const empty = patterns.filter(
    ({ literal, expression }) => spaces.has(literal.split('.')[0]!) && ![...known].some(key => expression.test(key))
  )
  expect(empty.map(({ literal }) => literal)).toEqual([])
})
