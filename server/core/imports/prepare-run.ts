import type { ImportKind, ImportSettings } from '@svc/kit'
import type { Host } from '../host.ts'
import { createSeenNames } from './seen-names.ts'
import type { Run } from './process-batch.ts'
import { openHead, type ImportRecord } from './store.ts'
import { getKind } from './kinds.ts'

/** All that rows of a stored file are processed with. */
export async function beginRun(host: Host, record: ImportRecord): Promise<Run> {
  const { columns } = openHead(host.secrets, record)
  return await prepareRun(host, {
    module: record.module,
    kind: getKind(host.registry, record.module, record.kind),
    id: record.id,
    clinic_id: record.clinic_id,
    user_id: record.user_id,
    settings: record.settings,
    columns,
    places: record.mapping
  })
}

interface Wanted extends Pick<Run, 'clinic_id' | 'user_id' | 'settings' | 'columns' | 'places'> {
  module: string
  kind: ImportKind
  /** Of the import: hashes of names of two files differ. */
  id: string
}

export async function prepareRun(host: Host, { module, kind, id, ...rest }: Wanted): Promise<Run> {
  const { ctx } = host.registry.get(module)!
  const given = await kind.begin?.(ctx, { clinic_id: rest.clinic_id, settings: rest.settings })
  return { ...rest, kind, ctx, given, seen: createSeenNames(host.secrets.mac('import-names', id)) }
}

/** What the clinic's cells mean. */
export async function settingsOf(host: Host, clinic_id: string): Promise<ImportSettings> {
  const { locale, country, currency, prices_include_tax } = await host.clinics.get(clinic_id)
  return { locale, country, currency, prices_include_tax }
}
