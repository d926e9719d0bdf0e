import { readFile, stat } from 'node:fs/promises'
import { defineCommand } from 'citty'
import { ImportMapping, IMPORT_BYTES } from '@svc/kit/import-schemas'
import { importFile } from '../../server/core/imports/import-from-command.ts'
import { listKinds, type NamedKind } from '../../server/core/imports/kinds.ts'
import { BATCH_ROWS } from '../../server/core/imports/process-batch.ts'
import { checkSecret } from '../../server/core/used-secrets.ts'
import { EXIT, failure, usageError } from '../errors.ts'
import { findClinic } from '../find-clinic.ts'
import { endProgress, say, showProgress, type Result } from '../output.ts'
import { noSecret, withModules, type Opened } from '../with-modules.ts'

const SHOWN = 50

export default defineCommand({
  meta: {
    name: 'import',
    description: 'Import patients or treatments from a CSV file',
    examples: [
      'svc import patients patients.csv --clinic "Clínica Sol" --dry-run',
      'svc import treatments prices.csv --clinic "Clínica Sol" --map map.json'
    ]
  },
  args: {
    'kind': { type: 'positional', description: 'patients or treatments', required: true },
    'file': { type: 'positional', description: 'CSV, at most 20 MB and 100,000 rows', required: true },
    'clinic': { type: 'string', description: 'Id or name of the clinic', required: true },
    'dry-run': { type: 'boolean', description: 'Count what would be done; change nothing' },
    'map': {
      type: 'string',
      valueHint: 'file',
      description: 'JSON: field → header of the file, such as {"first_name": "Vorname"}; guessed without it'
    },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args, data }): Promise<Result> {
    const [bytes, mapping] = [await readCsv(args.file), args.map ? await readMap(args.map) : null]
    const { asJson } = data as { asJson: boolean }
    return await withModules(async (opened) => {
      const dry_run = args['dry-run'] ?? false
      const kind = await getKind(opened, args.kind)
      const clinic_id = await findClinic(opened.sql, args.clinic)
      try {
        const done = await importFile(opened.host, { kind, clinic_id, bytes, mapping, dry_run, onProgress })
        if (!asJson) printWrongRows(done.wrong)
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

async function readMap(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw usageError(`File not found: ${file}.`)
  })
  try {
    return ImportMapping.parse(JSON.parse(text))
  } catch {
    throw usageError(`${file} isn’t a mapping.`, 'it is JSON such as {"first_name": "Vorname"}')
  }
}

const WIDTH = 30

/** Outside a terminal, where no line is overwritten, each tenth of the file is a line. */
function onProgress(done: number, total: number): void {
  const filled = Math.round((done / total) * WIDTH)
  const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled)
  const line = `[${bar}] ${Math.floor((done / total) * 100)} %  ${done} of ${total} rows`
  if (process.stderr.isTTY) showProgress(line)
  else if (isAtTenth(done, total)) say.log(line)
}

const isAtTenth = (done: number, total: number) =>
  done === total || Math.floor((done * 10) / total) > Math.floor(((done - BATCH_ROWS) * 10) / total)

type Done = Awaited<ReturnType<typeof importFile>>

function printWrongRows(wrong: Done['wrong']): void {
  endProgress()
  for (const { line, column, message } of wrong.slice(0, SHOWN))
    say.warn(`Line ${line}${column ? `, ${column}` : ''}: ${message}`)
  if (wrong.length > SHOWN) say.warn(`And ${wrong.length - SHOWN} more.`)
}

interface About { kind: string, clinic_id: string, dry_run: boolean }

function toResult({ counts, wrong, mapping }: Done, about: About): Result {
  const head = about.dry_run ? 'Nothing was changed. An import would be:' : 'Imported:'
  return {
    json: { ...about, mapping, ...counts, errors: wrong.slice(0, SHOWN) },
    text: [head, ...Object.entries(counts).map(([name, count]) => `  ${name.padEnd(8)} ${count}`)].join('\n'),
    exit: counts.wrong > 0 ? EXIT.failure : EXIT.done
  }
}
