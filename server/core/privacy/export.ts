import { strToU8, zipSync, type Zippable } from 'fflate'
import type { Json, Person } from '@svc/kit'
import { OPERATOR, type By } from '../people/accounts/record-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { clock } from '../clock.ts'
import type { Host } from '../host.ts'
import { getPerson, type PersonQuery } from './find.ts'
import { assertAllRun } from './modules.ts'
import { listEventsAbout } from './own-data.ts'

export interface PersonExport {
  /** Letters, digits and dashes: `patient-<id>.zip`. */
  name: string
  /** A ZIP: `export.json`, and a folder with files for each module. */
  bytes: Uint8Array
}

/**
 * Exports all data about a person. Throws `not_found`, or `module_not_running`, because the export must be complete.
 */
export async function exportPerson(
  host: Host,
  { who = OPERATOR, ...asked }: PersonQuery & { who?: By }
): Promise<PersonExport> {
  const { registry, database, db, clinics, log } = host
  const person = await getPerson(registry, asked)
  await assertAllRun(database.sql, registry)

  const records: Record<string, Json> = {}
  const files: Zippable = {}
  for (const { name, definition, ctx } of registry.modules) {
    const data = await definition.hooks?.export?.(ctx, person)
    if (!data) continue
    records[name] = data.records
    for (const file of data.files ?? [])
      // PDF and PNG are already compressed.
      files[freePath(files, `${name}/${toFileName(file.name)}`)] = [file.bytes, { level: 0 }]
  }
  const document = {
    ...exportHeader(person, (await clinics.get(person.clinic_id)).name, await clock.now(db)),
    modules: records,
    events: await listEventsAbout(db, person),
    files: Object.keys(files)
  }
  const target = { kind: 'person', id: person.id }
  await db.transaction(tx =>
    recordAudit(host, tx, { clinic_id: person.clinic_id, ...who, action: 'person_exported', target }))
  log.info('privacy.exported', { person: person.id })
  return {
    name: nameOf(person.id),
    bytes: zipSync({ 'export.json': strToU8(`${JSON.stringify(document, null, 2)}\n`), ...files })
  }
}

export const nameOf = (id: string) => `patient-${id.toLowerCase()}.zip`

const exportHeader = ({ id, name }: Person, clinic: string, at: Date) => ({
  what: 'The data that this instance stores about one person, by module. Files are in a folder for each module.',
  person: { id, name },
  clinic,
  exported_at: at.toISOString()
})

/** A file name from a module must not lead outside the folder where the ZIP is unpacked. */
const toFileName = (name: string) =>
  name
    .split('/')
    .map(part => part.replaceAll(/[^\p{L}\p{N}._ -]/gu, '-').replace(/^\.+/, '-'))
    .filter(Boolean)
    .join('/') || 'file'

/** `x.txt`, `x-2.txt`, … */
function freePath(taken: Zippable, path: string): string {
  for (let copy = 1; ; copy += 1) {
    const free = copy === 1 ? path : path.replace(/(\.[^./]*)?$/, `-${copy}$1`)
    if (!(free in taken)) return free
  }
}
