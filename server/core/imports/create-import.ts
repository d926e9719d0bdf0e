import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { ImportView, Tx } from '@svc/kit'
import { coreImport } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { invalid, validate } from '../http/validate.ts'
import { ImportMapping, IMPORT_BYTES } from '@svc/kit/import-schemas'
import { settingsOf } from './prepare-run.ts'
import { guessPlaces, placesOf } from './columns.ts'
import { examine } from './examine-file.ts'
import { storeFile } from './stored-file.ts'
import { getKind } from './kinds.ts'
import { lockImports } from './lock.ts'
import { readUpload } from './multipart.ts'
import { getImport, sealHead, viewOf } from './store.ts'

interface Upload {
  module: string
  kind: string
  clinic_id: string
  user_id: string | null
  content_type: string | undefined
  bytes: Uint8Array
}

/** Throws `file_unreadable`, `payload_too_large`, and `validation_failed` for a mapping that does not fit. */
export async function createImport(host: Host, upload: Upload): Promise<ImportView> {
  const { module, kind, clinic_id, user_id } = upload
  const { columns: fields } = getKind(host.registry, module, kind)
  const { bytes, file_name, mapping } = await readUpload(upload.bytes, upload.content_type, IMPORT_BYTES)
  const { columns, preview, ...form } = await examine(bytes)
  const places = mapping === undefined ? guessPlaces(columns, fields) : placesOf(readMapping(mapping), columns, fields)
  const id = randomUUID()
  await host.db.transaction(async (tx) => {
    await lockImports(tx, clinic_id)
    await dropForgotten(tx, { clinic_id, module, kind })
    await tx.insert(coreImport).values({
      id,
      clinic_id,
      module,
      kind,
      user_id,
      head: sealHead(host.secrets, { file_name, columns, preview }),
      ...form,
      mapping: places,
      settings: await settingsOf(host, clinic_id)
    })
    await storeFile(tx, host.secrets, id, bytes)
  })
  return await viewOf(host, await getImport(host.db, { clinic_id, module, kind, id }))
}

function readMapping(sent: unknown): Record<string, string> {
  try {
    return validate(ImportMapping, sent) as Record<string, string>
  } catch {
    throw invalid([{ pointer: '/mapping', message: 'Must name a header of the file for each field.' }])
  }
}

const MOST_OPEN = 5

/** Of the files that have not been run the oldest go, so that trying costs no space. */
async function dropForgotten(tx: Tx, at: { clinic_id: string, module: string, kind: string }): Promise<void> {
  await tx.execute(sql`
    delete from core_import where id in (
      select id from core_import
      where clinic_id = ${at.clinic_id}::uuid and module = ${at.module} and kind = ${at.kind} and state in ('uploaded', 'checked')
      order by created_at desc offset ${MOST_OPEN - 1})`)
}
