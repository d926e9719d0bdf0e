import { readFile, stat } from 'node:fs/promises'
import { defineCommand } from 'citty'
import type { ImportOptions, SentImportMapping } from '@svc/kit'
import { ImportMapping, ImportOptions as Options, IMPORT_BYTES, IMPORT_ENCODINGS } from '@svc/kit/import-schemas'
import { importFile } from '../../server/core/imports/import-from-command.ts'
import { listKinds, type NamedKind } from '../../server/core/imports/kinds.ts'
import { BATCH_ROWS } from '../../server/core/imports/process-batch.ts'
import { checkSecret } from '../../server/core/people/seals/used-secrets.ts'
import { EXIT, failure, usageError } from '../errors.ts'
import { findClinic } from '../find-clinic.ts'
import { consola, endProgress, showProgress, type Result } from '../output.ts'
import { noSecret, withModules, type Opened } from '../with-modules.ts'

export default defineCommand({
  meta: {
    name: 'import',
    description: 'Import records from a CSV file: patients, or another kind of a module',
    examples: [
      'svc import patients patients.csv --clinic "Clínica Sol" --dry-run',
      'svc import patients patients.csv --clinic "Clínica Sol" --map map.json'
    ]
  },
  args: {
    'kind': { type: 'positional', description: 'patients, or another kind of a module', required: true },
    'file': { type: 'positional', description: 'CSV, at most 20 MB and 100,000 rows', required: true },
    'clinic': { type: 'string', description: 'Id or name of the clinic', required: true },
    'dry-run': { type: 'boolean', description: 'Count what would be done; change nothing' },
    'map': {
      type: 'string',
      valueHint: 'file',
      description: 'JSON: field → header or headers of the file, such as {"first_name": "Vorname"}; guessed without it'
    },
    'encoding': { type: 'string', description: `${IMPORT_ENCODINGS.join(', ')}; guessed without it` },
    'header-line': {
      type: 'string',
      valueHint: 'line',
      description: 'Line of the file with the names of the columns, 0 for a file without one; guessed without it'
    },
    'date-order': { type: 'string', description: 'dmy or mdy: what comes first in 3/4/1985; without it as in the country' },
    'name-order': { type: 'string', description: 'last_first or first_last: names in one column' },
    'system': { type: 'string', description: 'Whose numbers the external ids are; import without it' },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args, data }): Promise<Result> {
    const options = readOptions(args)
    const [bytes, mapping] = [await readCsv(args.file), args.map ? await readMap(args.map) : null]
    const { asJson } = data as { asJson: boolean }
    return await withModules(async (opened) => {
      const dry_run = args['dry-run'] ?? false
      const kind = await getKind(opened, args.kind)
      const clinic_id = await findClinic(opened.sql, args.clinic)
      try {
        const done = await importFile(opened.host, { kind, clinic_id, bytes, mapping, options, dry_run, onProgress })
        if (!asJson) printRemarks(done)
        return toResult(done, { kind: kind.name, clinic_id, dry_run })
      } finally {
        endProgress()
      }
    })
  }
})

async function getKind({ host, sql, hasSecret }: Opened, word: string): Promise<NamedKind> {
  const kinds = listKinds(host.registry)
  const found = kinds.find(({ name }) => name === word)
  if (!found) {
    const names = kinds.map(({ name }) => name).join(', ')
    const hint = names ? `Choose one of ${names}.` : 'No module that imports files is running.'
    throw usageError(`Unknown kind of import: "${word}".`, hint)
  }
  if (!hasSecret) throw noSecret()
  await checkSecret(sql, host.secrets)
  return found
}

async function readCsv(file: string): Promise<Buffer> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw usageError(`File not found: ${file}.`)
  if (found.size > IMPORT_BYTES)
    throw failure('payload_too_large', `${file} is larger than 20 MB.`, 'divide it into several files')
  return await readFile(file)
}

async function readMap(file: string): Promise<SentImportMapping> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw usageError(`File not found: ${file}.`)
  })
  try {
    return ImportMapping.parse(JSON.parse(text))
  } catch {
    throw usageError(`${file} isn’t a mapping.`, 'it is JSON such as {"first_name": "Vorname"}')
  }
}

const FLAGS = {
  'encoding': 'encoding',
  'header-line': 'header_line',
  'date-order': 'date_order',
  'name-order': 'name_order',
  'system': 'system'
} as const

function readOptions(args: Record<string, unknown>): ImportOptions {
  const options: Record<string, unknown> = {}
  for (const [flag, name] of Object.entries(FLAGS)) {
    const typed = args[flag]
    if (typed === undefined) continue
    const value = name === 'header_line' ? (/^\d+$/.test(String(typed)) ? Number(typed) : NaN) : typed
    if (!Options.shape[name].safeParse(value).success)
      throw usageError(`--${flag} can’t be ${String(typed)}.`, 'svc import --help says what it can be')
    options[name] = value
  }
  return options
}

const WIDTH = 30

/** Outside a terminal, where lines can't be overwritten, prints one line for each tenth of the file. */
function onProgress(done: number, total: number): void {
  const filled = Math.round((done / total) * WIDTH)
  const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled)
  const line = `[${bar}] ${Math.floor((done / total) * 100)} %  ${done} of ${total} rows`
  if (process.stderr.isTTY) showProgress(line)
  else if (isAtTenth(done, total)) consola.log(line)
}

const isAtTenth = (done: number, total: number) =>
  done === total || Math.floor((done * 10) / total) > Math.floor(((done - BATCH_ROWS) * 10) / total)

type Done = Awaited<ReturnType<typeof importFile>>

function printRemarks({ counts, wrong, lost, notes, renamed, form }: Done): void {
  const { passed_over = [], other_lines = [], other } = form
  endProgress()
  if (passed_over.length > 0) consola.warn(`Lines passed over: ${passed_over.join(', ')}.`)
  if (other_lines.length > 0) consola.warn(`Lines that aren’t UTF-8, read as ${other}: ${other_lines.join(', ')}.`)
  const where = ({ line, column }: { line: number, column: string }) => `Line ${line}${column ? `, ${column}` : ''}`
  printFirst(wrong.map(row => `${where(row)}: ${row.message}`), counts.wrong)
  printFirst(lost.map(row => `${where(row)}: ${row.message} Imported without this value: ${row.value}`), counts.lost)
  printFirst(notes.map(row => `${where(row)}: ${row.message} (${row.value})`), counts.notes)
  printFirst(renamed.map(({ line, from, to }) => `Line ${line}: ${from} is renamed to ${to}.`), counts.renamed)
}

function printFirst(lines: string[], total: number): void {
  for (const line of lines) consola.warn(line)
  if (total > lines.length) consola.warn(`And ${total - lines.length} more.`)
}

interface ImportTarget { kind: string, clinic_id: string, dry_run: boolean }

function toResult({ counts, wrong, lost, notes, renamed, mapping, options, form }: Done, about: ImportTarget): Result {
  const { lost: lost_count, notes: note_count, renamed: renamed_count, ...rows } = counts
  const { encoding, other = null, other_lines = [], header_line, passed_over = [] } = form
  const head = about.dry_run ? 'Nothing was changed. An import would be:' : 'Imported:'
  return {
    json: {
      ...about,
      mapping,
      options,
      form: { encoding, other, other_lines, header_line, passed_over },
      ...rows,
      errors: wrong.map(({ line, column, message }) => ({ line, column, message })),
      lost: { total: lost_count, first: lost },
      notes: { total: note_count, first: notes },
      renamed: { total: renamed_count, first: renamed }
    },
    text: [head, ...Object.entries(rows).map(([name, count]) => `  ${name.padEnd(8)} ${count}`)].join('\n'),
    exit: counts.wrong > 0 ? EXIT.failure : EXIT.done
  }
}
