import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { ImportSettings, ImportView, Tx } from '@svc/kit'
import { coreImport } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { IMPORT_BYTES } from '@svc/kit/import-schemas'
import { settingsOf } from './prepare-run.ts'
import { guessPlaces, placesOf } from './file/columns.ts'
import { examine, type ExamineInput } from './file/examine-file.ts'
import { storeFile } from './stored-file.ts'
import { getKind } from './kinds.ts'
import { lockImports } from './lock.ts'
import { readUpload, type Upload as UploadedForm } from './file/multipart.ts'
import { changeOptions, checkOnWrong, readOptions, splitMapping } from './file/options.ts'
import type { Source } from './file/read-rows.ts'
import { getImport, sealHead } from './store.ts'
import { viewOf } from './view.ts'

interface Upload {
  module: string
  kind: string
  clinic_id: string
  user_id: string | null
  content_type: string | undefined
  bytes: Uint8Array | AsyncIterable<Uint8Array>
}

/**
 * Throws `file_unreadable`, `payload_too_large`, `validation_failed` for a mapping that does not fit the file, `busy`
 * if too many files are being uploaded, `storage_full` and `storage_unavailable`.
 */
export const createImport = (host: Host, upload: Upload): Promise<ImportView> =>
  host.uploads.run(upload.clinic_id, () => receive(host, upload))

async function receive(host: Host, upload: Upload): Promise<ImportView> {
  const { bytes, content_type, ...at } = upload
  const settings = await settingsOf(host, at.clinic_id)
  const body = bytes instanceof Uint8Array ? [bytes] : bytes
  const sent = await readUpload(body, content_type, { storage: host.config.storage, limit: IMPORT_BYTES })
  try {
    return await storeImport(host, { ...at, settings, sent })
  } finally {
    await sent.file.close()
  }
}

interface Stored extends Omit<Upload, 'content_type' | 'bytes'> { settings: ImportSettings, sent: UploadedForm }

async function storeImport(host: Host, { settings, sent, ...at }: Stored): Promise<ImportView> {
  const { columns: fields } = getKind(host.registry, at.module, at.kind)
  const { file, file_name } = sent
  const { places, options, examined } = await readSettings(file.pieces, sent, { fields, locale: settings.locale })
  const { form: { encoding, delimiter, ...form }, rows, ...head } = examined
  const id = randomUUID()
  await host.db.transaction(async (tx) => {
    await lockImports(tx, at.clinic_id)
    await dropForgotten(tx, at)
    await tx.insert(coreImport).values({
      ...at,
      id,
      head: sealHead(host.secrets, { file_name, ...head }),
      encoding,
      delimiter,
      rows,
      form,
      options,
      mapping: places,
      settings
    })
    await storeFile(tx, host.secrets, id, file.pieces())
  })
  return await viewOf(host, await getImport(host.db, { ...at, id }))
}

type Sent = Pick<UploadedForm, 'mapping' | 'options'>

/** Throws `file_unreadable`, or `validation_failed` for a mapping or options that do not fit the file. */
async function readSettings(source: Source, sent: Sent, { fields, locale }: Omit<ExamineInput, 'options'>) {
  const split = sent.mapping === undefined ? null : splitMapping(sent.mapping)
  const options = changeOptions({ on_wrong: split?.on_wrong }, readOptions(sent.options))
  checkOnWrong(options, fields)
  const examined = await examine(source, { fields, options, locale })
  const { columns } = examined
  const places = split ? placesOf(split.mapping, columns, fields) : guessPlaces(columns, fields)
  return { places, options, examined }
}

const MAX_OPEN = 5

/** Deletes the oldest files that were never run, so that abandoned attempts use no space. */
async function dropForgotten(tx: Tx, at: { clinic_id: string, module: string, kind: string }): Promise<void> {
  await tx.execute(sql`
    delete from core_import where id in (
      select id from core_import
      where clinic_id = ${at.clinic_id}::uuid and module = ${at.module} and kind = ${at.kind} and state in ('uploaded', 'checked')
      order by created_at desc offset ${MAX_OPEN - 1})`)
}
