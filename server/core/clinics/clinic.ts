import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { etagOf, matchesEtag, problem, type ClinicEffect, type ClinicSettings, type Db, type Json, type Tx } from '@svc/kit'
import { exponent } from '@svc/kit/money'
import type { Clinic, ClinicChange } from '../../../shared/clinic.ts'
import type { By } from '../people/accounts/record-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { clock } from '../clock.ts'
import { logoUrl } from './clinics.ts'
import { coreClinic } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { findStoppedModules } from '../privacy/modules.ts'
import {
  prepareChange, recordSettings, seenByModules, writeChange, type Prepared
} from '../settings/change-settings.ts'
import { askModules, applyToModules, vetoesOf } from '../settings/clinic-hooks.ts'
import { clinicMembers, splitChange } from '../settings/clinic-members.ts'

export interface VersionedClinic { clinic: Clinic, etag: string }
type Row = typeof coreClinic.$inferSelect

/** Throws `not_found`. */
export async function getClinic(host: Host, id: string): Promise<VersionedClinic> {
  return await host.db.transaction(async (tx) => {
    const [row] = await tx.select().from(coreClinic).where(eq(coreClinic.id, id))
    if (!row) throw problem('not_found')
    return await versioned(host, row, tx)
  })
}

/** `change` may have members that modules add. */
interface ChangeRequest { id: string, change: ClinicChange, if_match?: string }

/** Settings that protect the clinic's people and its evidence. A stolen token must not be able to weaken them. */
const PEOPLE_ONLY = ['second_factor', 'ip_policy', 'retention'] as const

function assertPerson({ actor }: By, change: ClinicChange): void {
  const fields = PEOPLE_ONLY.filter(name => change[name] !== undefined)
  if ('via' in actor && actor.via === 'token' && fields.length > 0)
    throw problem('permission_denied', { detail: `Only a person can change this, not a token: ${fields.join(', ')}` })
}

/** Throws `permission_denied`, `precondition_failed`, `currency_locked`, `setting_vetoed` or `module_errored`. */
export async function changeClinic(
  host: Host,
  { who, ...wanted }: ChangeRequest & { who: By }
): Promise<VersionedClinic> {
  assertPerson(who, wanted.change)
  await assertPricesReachable(host, wanted)
  return await host.db.transaction(async (tx) => {
    const { changes, prepared } = await changeIn(host, tx, wanted)
    const [row] = await tx.select().from(coreClinic).where(eq(coreClinic.id, wanted.id))
    const changed = await versioned(host, row!, tx)
    if (changes.length > 0) await recordChange(host, tx, { id: wanted.id, changes, who })
    for (const settings of prepared) await recordSettings(host, tx, settings, who)
    return changed
  })
}

/**
 * The effects of a change on the data of the modules: the change is made and rolled back. Throws the same as
 * `changeClinic`.
 */
export async function previewClinicChange(host: Host, wanted: ChangeRequest): Promise<ClinicEffect[]> {
  await assertPricesReachable(host, wanted)
  let effects: ClinicEffect[] = []
  await host.db.transaction(async (tx) => {
    effects = (await changeIn(host, tx, wanted)).effects
    throw new Rehearsed()
  }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
  return effects
}

/** Rolls a preview back. */
class Rehearsed extends Error {}

/** Prices that a module can't convert now would later be read in the wrong mode. Throws `module_errored`. */
async function assertPricesReachable({ database, registry }: Host, { change }: ChangeRequest): Promise<void> {
  if (change.prices_include_tax === undefined) return
  const silent = await findStoppedModules(database.sql, registry)
  if (silent.length > 0)
    throw problem('module_errored', {
      detail: `Prices cannot be converted while installed modules do not run: ${silent.join(', ')}.`
    })
}

/** `changes`: the fields whose values differ now. `prepared`: the changed settings of modules. */
async function changeIn(
  host: Host,
  tx: Tx,
  { id, change, if_match }: ChangeRequest
): Promise<{ effects: ClinicEffect[], changes: Change[], prepared: Prepared[] }> {
  const before = await lockClinic(tx, id)
  if (!matchesEtag(before.version, if_match)) throw problem('precondition_failed')
  const { own, ofModules } = splitChange(host.registry, change)
  const values: Partial<Row> = { ...own, retention: { ...before.retention, ...own.retention } }
  const changed = Object.fromEntries(Object.entries(values).filter(
    ([name, value]) => !isDeepStrictEqual(value, before[name as keyof ClinicChange])
  ))
  const prepared = await prepareAll(host, tx, { id, ofModules })
  const asked = { id, change: Object.assign({}, changed, ...prepared.map(seenByModules)) as ClinicSettings, tx }
  await askModules(host, asked)
  if (demandsMore(before.second_factor, own.second_factor)) values.second_factor_since = await clock.now(tx)
  await update(tx, id, values)
  for (const settings of prepared) await writeChange(host, tx, settings)
  const effects = await applyToModules(host, asked)
  return { effects, changes: changesOf(changed, before), prepared }
}

/** Only those in which something differs. */
async function prepareAll(
  host: Host,
  tx: Tx,
  { id: clinic_id, ofModules }: { id: string, ofModules: ReturnType<typeof splitChange>['ofModules'] }
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const [declared, change] of ofModules)
    prepared.push(await prepareChange(host, tx, { declared, clinic_id, change }))
  return prepared.filter(({ names }) => names.length > 0)
}

interface Change { field: string, old: Json, new: Json }

/** By name, such as `phone` or `retention.audit_months`. */
function changesOf(changed: Partial<Row>, before: Row): Change[] {
  return Object.entries(changed).flatMap(([name, value]) => {
    const old = before[name as keyof Row]
    if (name !== 'retention') return [{ field: name, old, new: value } as Change]
    return Object.entries(value as object)
      .map(([part, now]) => ({ field: `${name}.${part}`, old: (old as unknown as Record<string, Json>)[part]!, new: now }))
      .filter(change => !isDeepStrictEqual(change.new, change.old))
  })
}

/**
 * For settings that protect people and evidence, the log must show who weakened them and what they were before. Values
 * of other fields may be personal.
 */
const isProtective = ({ field }: Change) => /^(?:second_factor|ip_policy|retention\..+)$/.test(field)

const recordChange = (host: Host, tx: Tx, { id, changes, who }: { id: string, changes: Change[], who: By }) => {
  const shown = changes.filter(isProtective).map(({ field, old, new: now }) => [field, { old: old ?? null, new: now }])
  return recordAudit(host, tx, {
    clinic_id: id,
    ...who,
    action: 'settings_changed',
    target: { kind: 'clinic', id },
    detail: {
      fields: changes.map(({ field }) => field).toSorted(),
      ...(shown.length > 0 ? { changes: Object.fromEntries(shown) as Json } : {})
    }
  })
}

const DEMANDS = ['none', 'administrators', 'all']
/** True if the second factor becomes required for more people, who then get a week again. */
const demandsMore = (before: Row['second_factor'], after: Row['second_factor'] = before) =>
  DEMANDS.indexOf(after) > DEMANDS.indexOf(before)

/** Null removes the logo. */
export async function setLogo(
  host: Host,
  id: string,
  logo: { type: string, bytes: Buffer } | null,
  who: By
): Promise<VersionedClinic> {
  return await host.db.transaction(async (tx) => {
    await lockClinic(tx, id)
    const values = { logo: logo?.bytes ?? null, logo_type: logo?.type ?? null }
    const saved = await versioned(host, await update(tx, id, values), tx)
    await recordChange(host, tx, { id, changes: [{ field: 'logo', old: null, new: null }], who })
    return saved
  })
}

export interface Logo { bytes: Buffer, type: string, version: number }

export async function findLogo(db: Db, id: string): Promise<Logo | null> {
  const [row] = await db
    .select({ bytes: coreClinic.logo, type: coreClinic.logo_type, version: coreClinic.version })
    .from(coreClinic)
    .where(eq(coreClinic.id, id))
  return row?.bytes && row.type ? { bytes: row.bytes, type: row.type, version: row.version } : null
}

async function lockClinic(tx: Tx, id: string): Promise<Row> {
  const [row] = await tx.select().from(coreClinic).where(eq(coreClinic.id, id)).for('update')
  if (!row) throw problem('not_found')
  return row
}

/** Tests a change to another currency with as many decimals: if even that is refused, every change is. */
async function isCurrencyLocked(host: Host, { id, currency: now }: Row, tx: Tx): Promise<boolean> {
  const like = Intl.supportedValuesOf('currency').find(code => code !== now && exponent(code) === exponent(now))
  return (
    like !== undefined
    && (await vetoesOf(host, { id, change: { currency: like }, tx })).some(({ field }) => field === 'currency')
  )
}

async function update(tx: Tx, id: string, values: Partial<Row>): Promise<Row> {
  const [row] = await tx
    .update(coreClinic)
    .set({ ...values, version: sql`${coreClinic.version} + 1` })
    .where(eq(coreClinic.id, id))
    .returning()
  return row!
}

async function versioned(host: Host, row: Row, tx: Tx): Promise<VersionedClinic> {
  const logo_url = row.logo ? logoUrl(host.config.base_url, row.id, row.version) : null
  return {
    clinic: {
      ...row,
      ...await clinicMembers(host, tx, row.id),
      logo_url,
      currency_locked: await isCurrencyLocked(host, row, tx)
    },
    etag: etagOf(row.version)
  }
}
