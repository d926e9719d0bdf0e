import type { ImportOptionsChange, ImportView, SentImportMapping } from '@svc/kit'
import type { Host } from '../host.ts'
import { dropBatches } from './batches.ts'
import { guessPlaces, placesOf } from './file/columns.ts'
import { examine } from './file/examine-file.ts'
import { getKind } from './kinds.ts'
import { changeOptions, checkOnWrong, splitMapping } from './file/options.ts'
import { changeImport, getImport, lockOpenImport, openHead, sealHead, type At, type ImportRecord } from './store.ts'
import { viewOf } from './view.ts'
import { readFile } from './stored-file.ts'

interface Change { mapping?: SentImportMapping, options?: ImportOptionsChange }

/**
 * Discards the result of an earlier check, which applied to the earlier settings. Another encoding or header line makes
 * it read the file again. Throws `not_found`, `wrong_state`, `validation_failed` or `file_unreadable`.
 */
export async function mapImport(host: Host, at: At & Change): Promise<ImportView> {
  const { columns: fields } = getKind(host.registry, at.module, at.kind)
  const split = at.mapping === undefined ? null : splitMapping(at.mapping)
  const asked = changesOf(split?.on_wrong, at.options)
  const before = await host.db.transaction(tx => lockOpenImport(tx, at))
  const options = changeOptions(before.options, asked)
  checkOnWrong(options, fields)
  const isReadAgain = (['encoding', 'header_line'] as const).some(name => before.options[name] !== options[name])
  const read = isReadAgain ? await readAgain(host, before, { fields, options, locale: before.settings.locale }) : null
  await host.db.transaction(async (tx) => {
    const record = await lockOpenImport(tx, at)
    const columns = read?.columns ?? openHead(host.secrets, record).columns
    const places = split
      ? placesOf(split.mapping, columns, fields)
      : read ? guessPlaces(columns, fields) : record.mapping
    await dropBatches(tx, record.id)
    await changeImport(tx, record.id, {
      ...read?.change,
      options: changeOptions(record.options, asked),
      mapping: places,
      state: 'uploaded',
      counts: null
    })
  })
  return await viewOf(host, await getImport(host.db, at))
}

/** A mapping without rules for wrong cells keeps the chosen ones. */
const changesOf = (on_wrong: ImportOptionsChange['on_wrong'], options: ImportOptionsChange = {}) =>
  on_wrong === undefined ? options : { on_wrong, ...options }

/** The record's description of its file, read with another encoding or header line. */
async function readAgain(host: Host, record: ImportRecord, wanted: Parameters<typeof examine>[1]) {
  const { form: { encoding, delimiter, ...form }, rows, ...found } = await examine(
    () => readFile(host.db, host.secrets, record.id),
    wanted
  )
  const head = sealHead(host.secrets, { ...openHead(host.secrets, record), ...found })
  return { columns: found.columns, change: { head, rows, encoding, delimiter, form } }
}
