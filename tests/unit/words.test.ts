import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const LOCALES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

/** Words that `WRITING.md` refuses in texts for people. */
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

/** In files with several languages. */
const IN_DOCUMENTS = [
  /24:00/, /impress(?:ão|ões) digita(?:l|is)/i, /\bcliniques?\b/i, /\bmonnaies?\b/i, /Gutschrift/, /المختص/,
  /\b(?:Rejected|rejected) (?:budget|by)/, /\bProfessional'/
]

/** In comments and names of tests. */
const IN_CODE = [
  /\b(?:is|are|was|were|be) said\b(?! to)/i, /\bhangs on\b/i,
  /\bgoes on(?:[.,;:]|$| (?:with|by|after|as|alone|and|until)\b)/i, /\bstands? in\b/i,
  /\bwhat (?:it|they) (?:was|were) asked\b/i, /\bis one until\b/i, /\bwho(?:ever)? loses\b/i,
  /\bwhoever\b/i, /(?<!\bthere )\b(?:is|are) none\b/i,
  /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|better\b|different\b|one\b|-)[a-z]/i,
  /\bmend(?:s|ed|ing)?\b/i, /\banew\b/i, /\ball the same\b/i, /\btak(?:e|es|en) away\b/i, /\bgiv(?:e|es|en) back\b/i,
  /\bput back\b/i, /\b(?:is|are|was|were|been) told\b(?! apart| to\b)/i, /\blook(?:s|ed)? after\b/i,
  /\bshut out\b/i, /\blet in again\b/i, /\b(?:crew|pulse|farewell|patience)\b/i, /\be-mail/i, /\blog-(?:in|out)\b/i
]

/** Only in test names, in addition to those. */
const IN_TEST_NAMES = [...IN_CODE, /\b(?:no|some)body\b/i, /\btold\b/i, /\bwhom\b/i, /\bhears?\b/i]

/** In names of functions, types and constants. `GivenName` is a term of the field. */
const IN_NAMES = [
  /^(?:MOST|LONGEST|LARGEST|HIGHEST|SHORTEST|LEAST|PATIENCE)(?:_|$)/, /_(?:MOST|LONGEST|PATIENCE)$/,
  /^(?:must|about)[A-Z]/, /[lL]og(?:In|Out)|[lL]oggedIn/,
  /^(?:giveUp|giveBack|goOn|letGo|takeTry|takeTurn|askAnew|judge)/, /^(?:Asked|Wanted|Given(?!Name)|Told|Judged|Stay)/
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

/** Titles and details of problems, as the API sends them. */
const problems = globSync(['layers/*/server/problems.ts', 'server/core/http/problems.ts'], { cwd: root })
  .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(/(?:title|detail):\s*'((?:[^'\\]|\\.)*)'/g)]
    .map(([, text]) => [file, text!] as [string, string]))

const CODE = ['app', 'bin', 'build', 'cli', 'deploy', 'layers', 'packages', 'server', 'shared', 'tests']
const sources = globSync(CODE.map(folder => `${folder}/**/*.{ts,vue,js,sql}`), {
  cwd: root,
  exclude: path => /(?:^|\/)(?:node_modules|\.output|\.nuxt|migrations|dist)(?:\/|$)/.test(path)
})

/** Comment blocks, each joined to one text, and comments after code. */
function comments(source: string) {
  const blocks: string[] = []
  let open = false
  let joins = false
  for (const line of source.split('\n')) {
    const text = line.trim()
    if (open || /^(?:\/\*|\/\/|<!--|-- )/.test(text)) {
      const words = text.replace(/^(?:\/\*+|\*(?!\/)|\/\/|<!--|--)\s*|\s*(?:\*\/|-->)$/g, '')
      if (joins) blocks.push(`${blocks.pop()} ${words}`)
      else blocks.push(words)
      open = open || /^(?:\/\*|<!--)/.test(text)
      if (/(?:\*\/|-->)$/.test(text)) open = false
      joins = true
    } else {
      joins = false
      const behind = /\s\/\/ (.*)$/.exec(line)
      if (behind) blocks.push(behind[1]!)
    }
  }
  return blocks
}

const testNames = (source: string) =>
  [...source.matchAll(/(?:\b(?:test|it|describe|bench)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/g)]
    .map(([, , name]) => name!.replace(/\\(['"`])/g, '$1'))

const names = (source: string) =>
  [...source.matchAll(/^\s*(?:export )?(?:async )?(?:function\*?|const|let|interface|type|class) (\w+)/gm)].map(([, name]) => name!)

/** The results of `texts` for each file, together with the file's name. */
const read = (files: string[], texts: (source: string) => string[]) =>
  files.flatMap(file => texts(readFileSync(join(root, file), 'utf8')).map(text => [file, text] as [string, string]))

const against = (texts: [string, string][], patterns: RegExp[]) =>
  texts.filter(([, text]) => patterns.some(pattern => pattern.test(text))).map(([key, text]) => `${key}: ${text}`)

describe('the words of WRITING.md', () => {
  test.each(LOCALES)('are used on the screens, in %s', (locale) => {
    expect(screens(locale).length).toBeGreaterThan(300)
    expect(against(screens(locale), REFUSED[locale]!)).toEqual([])
  })

  test.each(LOCALES)('erase data, never a person, in %s', (locale) => {
    expect(against(screens(locale), [ERASES_A_PERSON[locale]!])).toEqual([])
  })

  test.each(globSync([
    'layers/*/server/{mail,pdf}/*.ts', 'server/core/people/mail/mail-texts.ts', 'packages/evidence-page/texts/*.ts'
  ], { cwd: root }))('are used in mails, PDFs and the evidence page: %s', (file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n').filter(line => !/^\s*(?:\/?\*|\/\/)/.test(line))
    expect(lines.filter(line => IN_DOCUMENTS.some(pattern => pattern.test(line)))).toEqual([])
  })

  test('are used in the API\'s problems', () => {
    expect(problems.length).toBeGreaterThan(40)
    expect(against(problems, REFUSED.en!)).toEqual([])
  })

  test('are used in comments', () => {
    const texts = read(sources, comments)
    expect(texts.length).toBeGreaterThan(1000)
    expect(against(texts, IN_CODE)).toEqual([])
  })

  test('are used in names of functions, types and constants', () => {
    const found = read(sources, names)
    expect(found.length).toBeGreaterThan(5000)
    expect(against(found, IN_NAMES)).toEqual([])
  })

  test('are used in test names', () => {
    const texts = read(sources.filter(file => file.endsWith('.ts')), testNames)
    expect(texts.length).toBeGreaterThan(1000)
    expect(against(texts, IN_TEST_NAMES)).toEqual([])
  })
})
