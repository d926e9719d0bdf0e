import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../support/sources.ts'

/**
 * Words of modules, in the singular. The core, the kit, the frame and the commands know no module, so their
 * identifiers, strings and paths must not contain these words. The clinic's own words are allowed: a clinic has
 * patients, and roles such as dentist.
 */
const WORDS = [
  'tooth', 'teeth', 'budget', 'invoice', 'treatment', 'professional', 'clinician', 'reminder', 'payment', 'odontogram',
  'clinical', 'billing', 'signername', 'notation'
]
const PLACES = ['server/core', 'packages/kit', 'app', 'cli']
/** The demo is about a clinic with all bundled modules. */
const DEMO = ['cli/demo/', 'server/core/demo/']
/**
 * The types that the bundled modules offer to others: one list of their names, and the words of these types. A package
 * gets them from the kit, because it imports nothing else from the product.
 */
const TYPES = 'packages/kit/src/modules/'
/** The product's name contains one of the words. */
const PRODUCT = /dental[- ]budgets?(?:[- ]service)?/gi
/** Channels distinguish messages by these kinds, which the specification names. */
const KINDS = '\'link\' | \'reminder\' | \'code\' | \'notice\''

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...PLACES], {
  cwd: root, encoding: 'utf8'
}).split('\n').filter(file => file !== '' && ![...DEMO, TYPES].some(folder => file.startsWith(folder)))
const sources = files.filter(file => /\.(?:ts|js|mjs|vue|css|json)$/.test(file))

/** Comments explain with examples, and can name what a module does. */
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<=^|\s)\/\/.*$/gm, '')

/** `signer_name`, `signerName` and `signer-name` are the words `signer` and `name`, and together `signername`. */
function wordsIn(text: string): string[] {
  return [...text.replace(PRODUCT, ' ').matchAll(/[\p{L}_-]+/gu)].flatMap(([name]) => {
    const parts = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase().split(/[_-]+/).filter(Boolean)
    return [...parts, ...parts.slice(1).map((part, at) => parts[at]! + part)]
  })
}
const ofModules = (text: string) =>
  [...new Set(wordsIn(text))].filter(word => WORDS.includes(word) || WORDS.includes(word.replace(/s$/, '')))

describe('the words of modules', () => {
  test('do not occur in a path of the core, the kit, the frame and the commands', () => {
    expect(files.filter(file => ofModules(file).length > 0)).toEqual([])
  })

  test('do not occur in an identifier or a string there', () => {
    const found = sources
      .map(file => [file, ofModules(withoutComments(readFileSync(join(root, file), 'utf8')).replace(KINDS, ''))] as const)
      .filter(([, words]) => words.length > 0)
    expect(Object.fromEntries(found)).toEqual({})
  })

  test('are found in any spelling of a name, but not inside another word', () => {
    expect(ofModules('toothLabel BudgetRow payment_days list-invoices')).toEqual(['tooth', 'budget', 'payment', 'invoices'])
    expect(ofModules('signer_name signerName')).toEqual(['signername'])
    expect(ofModules('closeToOthers dental-budget-service "Dental budgets" remind')).toEqual([])
    expect(ofModules(withoutComments('const a = 1 // a budget\n/* teeth */'))).toEqual([])
  })
})
