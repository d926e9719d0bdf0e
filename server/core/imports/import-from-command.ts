import { randomUUID } from 'node:crypto'
import type { ImportMapping, ImportOptions, SentImportMapping } from '@svc/kit'
import { recordAudit } from '../audit/record-audit.ts'
import type { Host } from '../host.ts'
import { prepareRun, settingsOf } from './prepare-run.ts'
import { guessPlaces, placesOf, toMapping } from './file/columns.ts'
import { piecesOf } from './file/encoding.ts'
import { examine, type Examined } from './file/examine-file.ts'
import { inBatch } from './batch-transaction.ts'
import type { NamedKind } from './kinds.ts'
import { whileImporting } from './lock.ts'
import { addCounts, batchesOf, NO_ROWS, processBatch, type Outcome, type Run } from './process-batch.ts'
import { readRecords, type Form } from './file/read-rows.ts'
import { changeOptions, checkOnWrong, splitMapping } from './file/options.ts'

/** The number of remarks of each kind. */
export const SHOWN = 50

interface CommandImport {
  kind: NamedKind
  clinic_id: string
  bytes: Uint8Array
  /** Field → its header or headers in the file, and `on_wrong`; null: guess. */
  mapping: SentImportMapping | null
  options: ImportOptions
  /** Check only, and write nothing. */
  dry_run: boolean
  onProgress (done: number, total: number): void
}
interface Done extends Outcome { mapping: ImportMapping, options: ImportOptions, form: Form & { header_line: number } }

/**
 * An operator's import, which runs at once in this process, with the same batches as the job. If it is stopped, the
 * written batches remain, and importing the same file again continues. Throws `file_unreadable` or `validation_failed`.
 */
export async function importFile(host: Host, order: CommandImport): Promise<Done> {
  const { kind, clinic_id, bytes } = order
  const { columns: fields } = kind.kind
  const settings = await settingsOf(host, clinic_id)
  const split = order.mapping && splitMapping(order.mapping)
  const options = changeOptions({ on_wrong: split?.on_wrong }, order.options)
  checkOnWrong(options, fields)
  const examined = await examine(() => piecesOf(bytes), { fields, options, locale: settings.locale })
  const { columns, form } = examined
  const places = split ? placesOf(split.mapping, columns, fields) : guessPlaces(columns, fields)
  const run = await prepareRun(host, () => readRecords(piecesOf(bytes), form), {
    module: kind.module,
    kind: kind.kind,
    id: randomUUID(),
    clinic_id,
    user_id: null,
    settings,
    options,
    columns,
    places
  })
  const outcome = await whileImporting(host, clinic_id, async () => {
    if (!order.dry_run) await recordStart(host, order, examined)
    return await processFile(host, run, order, examined)
  })
  return { ...outcome, mapping: toMapping(places, columns), options, form }
}

/** Written before the first row, because an import that is stopped half-way has written some rows. */
const recordStart = (host: Host, { kind, clinic_id }: CommandImport, { rows }: Examined) =>
  host.db.transaction(tx =>
    recordAudit(host, tx, {
      clinic_id,
      actor: { type: 'system', id: null, name: 'svc import' },
      action: 'import_run',
      target: { kind: kind.name, id: null },
      detail: { rows }
    })
  )

async function processFile(
  host: Host,
  run: Run,
  { bytes, dry_run, onProgress }: CommandImport,
  { rows: total, form }: Examined
): Promise<Outcome> {
  const outcome: Outcome = { counts: NO_ROWS, wrong: [], lost: [], notes: [], renamed: [] }
  let done = 0
  for await (const batch of batchesOf(readRecords(piecesOf(bytes), form), 0)) {
    const { counts, ...said } = await inBatch(host, run, tx => processBatch(run, tx, batch, dry_run))
    run.seen.takeNew()
    outcome.counts = addCounts(outcome.counts, counts)
    for (const list of ['wrong', 'lost', 'notes', 'renamed'] as const) keepFirst(outcome[list], said[list])
    done += batch.length
    onProgress(done, total)
  }
  return outcome
}

/** Keeps the first ones; the counts show how many there are. */
const keepFirst = (kept: unknown[], more: unknown[]) => void kept.push(...more.slice(0, SHOWN - kept.length))
