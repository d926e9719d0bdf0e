import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const homes = ['.', ...readdirSync(join(root, 'layers')).map(layer => join('layers', layer))].filter(home => existsSync(join(root, home, 'i18n/locales/en.json')))

type Texts = { [key: string]: string | Texts }

const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) => typeof text === 'string' ? [[prefix + key, text]] : flat(text, `${prefix}${key}.`))

function textsOf(home: string, locale: string): Map<string, string> {
  return new Map(flat(JSON.parse(readFileSync(join(root, home, 'i18n/locales', `${locale}.json`), 'utf8')) as Texts))
}

/** Every text literal of the screens, template literals with their gaps as `*`. */
function literals(): string[] {
  return ['app', ...homes.map(home => join(home, 'app'))].filter(folder => existsSync(join(root, folder))).flatMap(folder =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && /\.(?:vue|ts)$/.test(entry.name))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .flatMap(source => [...source.matchAll(/'([\w.]+)'|`([\w.]*(?:\$\{[^`]*?\}[\w.]*)+)`/g)].map(match => match[1] ?? match[2]!.replace(/\$\{.*?\}/g, '*'))))
}

/** Labels of the sidebar come from the manifests. */
function labels(): string[] {
  return homes.flatMap((home) => {
    const { svc } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8')) as { svc?: { navigation?: { label: string }[] } }
    return svc?.navigation?.map(({ label }) => label) ?? []
  })
}

const used = [...literals(), ...labels()]
const matches = (key: string) => used.some(literal => literal === key || (literal.includes('*') && new RegExp(`^${literal.replaceAll('.', '\\.').replaceAll('*', '[\\w]+')}$`).test(key)))

const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

describe.each(homes)('texts of %s', (home) => {
  const english = textsOf(home, 'en')

  test('every one is used', () => {
    expect([...english.keys()].filter(key => !matches(key))).toEqual([])
  })

  test.each(['es'])('%s has the same keys, with the same names in them', (locale) => {
    const other = textsOf(home, locale)
    expect([...other.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of english) expect(namesIn(other.get(key)!), key).toEqual(namesIn(text))
  })
})

test('every key that a screen names exists', () => {
  const known = new Set(homes.flatMap(home => [...textsOf(home, 'en').keys()]))
  const spaces = new Set([...known].map(key => key.split('.')[0]))
  const missing = used.filter(literal => literal.includes('.') && !literal.includes('*') && spaces.has(literal.split('.')[0]!) && !known.has(literal))
  expect([...new Set(missing)]).toEqual([])
})
