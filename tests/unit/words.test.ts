import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const LOCALES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

/** What `WRITING.md` asks not to write, in texts that people read. */
const REFUSED: Record<string, RegExp[]> = {
  en: [
    /\be-mail/i, /\blog(?:ged|ging)? (?:in|out)\b/i, /\bg(?:i|a)ven? up\b/i, /\bgive up\b/i, /\bmend(?:s|ed|ing)?\b/i,
    /\btak(?:e|es|en) away\b/i, /\bput back\b/i, /\bshut out\b/i, /\blet in again\b/i, /\breject/i, /\bprofessional/i,
    /\ball the same\b/i, /\banew\b/i, /\b(?:ask|look) again\b/i, /24:00/, /by another (?:channel|way)/i,
    /\bwho loses\b/i, / …/, /\bestimates?\b/i
  ],
  es: [/\brevisar? (?:el|este) presupuesto/i, /24:00/, / …/],
  // A no-break space keeps French punctuation on the line of its word.
  fr: [/\bcliniques?\b/i, /\bmonnaies?\b/i, /24:00/, / …/, / [:;?!»]/, /« /],
  de: [/Gutschrift/, /\(freiwillig\)/, /Fassung/, /24:00/],
  pt: [/impress(?:ão|ões) digita(?:l|is)/i, /24:00/, / …/],
  ar: [/24:00/, /المختص/]
}

/** In files that hold several languages. */
const IN_DOCUMENTS = [
  /24:00/, /impress(?:ão|ões) digita(?:l|is)/i, /\bcliniques?\b/i, /\bmonnaies?\b/i, /Gutschrift/, /المختص/,
  /\b(?:Rejected|rejected) (?:budget|by)/, /\bProfessional'/
]

/** "Erase" and its equivalents directly before a person. */
const ERASES_A_PERSON: Record<string, RegExp> = {
  en: /\beras(?:e|es|ed|ing) (?:\{name\}|(?:the |this )?(?:patient|person))\b(?!['’]s)/i,
  es: /\b(?:suprimir|borrar) a\b/i,
  fr: /\beffacer (?:\{name\}|le patient)/i,
  de: /^(?:\{name\}|Patient(?:en)?) löschen/i,
  pt: /\bapagar (?:\{name\}|o paciente)/i,
  ar: /^(?:حذف|محو) \{name\}/
}

type Texts = { [key: string]: string | Texts }
const flat = (texts: Texts, prefix = ''): [string, string][] => Object.entries(texts).flatMap(([key, text]) =>
  typeof text === 'string'
    ? [[prefix + key, text.replace(/[\u2066-\u2069]/g, '')] as [string, string]]
    : flat(text, `${prefix}${key}.`))

const screens = (locale: string) =>
  globSync([`i18n/*/${locale}.json`, `layers/*/i18n/*/${locale}.json`], { cwd: root })
    .flatMap(file => flat(JSON.parse(readFileSync(join(root, file), 'utf8')) as Texts, `${file} `))

/** Sentences of problems, as the API answers them. */
const problems = globSync(['layers/*/server/problems.ts', 'server/core/http/problems.ts'], { cwd: root })
  .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(/(?:title|detail):\s*'((?:[^'\\]|\\.)*)'/g)]
    .map(([, text]) => [file, text!] as [string, string]))

const against = (texts: [string, string][], patterns: RegExp[]) =>
  texts.filter(([, text]) => patterns.some(pattern => pattern.test(text))).map(([key, text]) => `${key}: ${text}`)

describe('the words of WRITING.md', () => {
  test.each(LOCALES)('are those of the screens, in %s', (locale) => {
    expect(screens(locale).length).toBeGreaterThan(300)
    expect(against(screens(locale), REFUSED[locale]!)).toEqual([])
  })

  test.each(LOCALES)('erase data, and no person, in %s', (locale) => {
    expect(against(screens(locale), [ERASES_A_PERSON[locale]!])).toEqual([])
  })

  test.each(globSync([
    'layers/*/server/{mail,pdf}/*.ts', 'server/core/people/mail/mail-texts.ts', 'packages/evidence-page/texts/*.ts'
  ], { cwd: root }))('are those of mails, PDFs and the evidence page: %s', (file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n').filter(line => !/^\s*(?:\/?\*|\/\/)/.test(line))
    expect(lines.filter(line => IN_DOCUMENTS.some(pattern => pattern.test(line)))).toEqual([])
  })

  test('are those of the API\'s problems', () => {
    expect(problems.length).toBeGreaterThan(40)
    expect(against(problems, REFUSED.en!)).toEqual([])
  })
})
