import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const SERVER = [
  'server',
  'cli',
  'packages/kit/src',
  'shared',
  ...readdirSync(join(root, 'layers')).flatMap(name => [`layers/${name}/server`, `layers/${name}/shared`])
]
const SCREENS = ['app', ...readdirSync(join(root, 'layers')).map(name => `layers/${name}/app`)]

interface Line { file: string, text: string }

function linesOf(folders: string[], endings: RegExp): Line[] {
  const files = folders.flatMap(folder =>
    namesIn(folder)
      .filter(name => endings.test(name))
      .map(name => `${folder}/${name}`)
  )
  return files.flatMap(file => readFileSync(join(root, file), 'utf8').split('\n').map(text => ({ file, text })))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  } catch {
    return [] // a layer without that half
  }
}

/**
 * Code for browsers that is in the server's folder: the page inside an evidence file. All values that it compares are
 * public.
 */
const IN_BROWSERS = /\/evidence-page\/|page\.generated\.ts$/
const sources = linesOf(SERVER, /\.[jt]s$/)
const server = sources.filter(({ file }) => !IN_BROWSERS.test(file))
const screens = [...linesOf(SCREENS, /\.(?:vue|ts)$/), ...sources.filter(({ file }) => /\/evidence-page\//.test(file))]
const matching = (lines: Line[], what: RegExp, except: RegExp = /^$/) =>
  lines
    .filter(({ file, text }) => what.test(text) && !except.test(file) && !/^\s*(?:\/\/|\*|\/\*)/.test(text))
    .map(({ file, text }) => `${file}: ${text.trim()}`)

describe('SQL is never built from text:', () => {
  test('text as SQL is only sent by migrations, backups and drizzle\'s own statements', () => {
    expect(
      matching(
        server,
        /\.unsafe\(/,
        /^server\/core\/(?:db\/(?:client|rows|migrate|split-commits|guarded\/watch-statements)|modules\/backup\/(?:restore|backup-data))\.ts$/
      )
    ).toEqual([])
  })

  test('raw parts of a statement are constants of the source', () => {
    const raw = matching(server, /sql\.raw\(/).filter(
      line =>
        !/sql\.raw\((?:`$|'[^']*'|String\([A-Z_]+(?:\.length)?\)|`interval '\$\{(?:IDLE|LIFETIME\[purpose\])\}'`|`\(array\[\$\{LOCK_SECONDS\.join\(', '\)\}\]\)`|`array_to_tsvector\(string_to_array\(btrim\(regexp_replace\(\$\{FOLDED\})/.test(
          line
        )
    )
    expect(raw).toEqual([])
  })

  test('no statement is built with + or with a template other than sql`…`', () => {
    expect(matching(server, /['"`](?:select|insert into|update|delete from) [^'"`]*['"`] *\+/i)).toEqual([])
    expect(matching(server, /\.(?:execute|query)\(\s*(?:`|'[^']*' *\+)/)).toEqual([])
  })
})

test('secrets are compared in constant time, or looked up by their hash', () => {
  expect(
    matching(
      server,
      /\b[\w.]*(?:mac|secret|token|password|_hash|signature) *[!=]==? *(?!null|undefined|["'0]|void)[\w.]+/i
    )
  ).toEqual([])
  expect(matching(server, /(?:mac|secret|token|password|_hash|signature)[\w.]*\.equals\(/i)).toEqual([])
})

test('text is never run as code and never becomes markup', () => {
  expect(matching([...server, ...screens], /\beval\(|new Function\(|\bvm\.|\bexecSync\(|\bexec\(`/)).toEqual([])
  expect(matching(screens, /v-html|\.innerHTML|outerHTML|insertAdjacentHTML|document\.write\(/)).toEqual([])
})

test('no endpoint or service of a module accesses files directly, because documents have keys that are checked', () => {
  const inModules = server.filter(({ file }) => file.startsWith('layers/'))
  // Modules only read their own fonts and seeds, which have a fixed name beside the source.
  expect(matching(inModules, /from 'node:(?:fs|fs\/promises|child_process)'/, /\/pdf\//)).toEqual([])
  expect(
    matching(
      server.filter(({ file }) => file.startsWith('server/routes') || file.startsWith('server/api')),
      /from 'node:(?:fs|child_process)/
    )
  ).toEqual([])
})

test('a random number that protects something comes from the system', () => {
  expect(matching(server, /Math\.random\(/)).toEqual([])
})
