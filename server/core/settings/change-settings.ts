import { matchesEtag, problem, type Actor, type AuditActor, type Client, type Tx } from '@svc/kit'
import { recordAudit } from '../audit/record-audit.ts'
import { clock } from '../clock.ts'
import type { Host } from '../host.ts'
import { askModules, applyToModules } from './clinic-hooks.ts'
import type { Declared } from './declaration.ts'
import { openValues, purposeOf } from './open-values.ts'
import { lockClinicRow, readStored, renewClinicVersion, writeStored, type Stored } from './stored-settings.ts'
import { changed, fieldOf, namesOfChanges, pick, shown, type Values } from './values.ts'

type Parts = Pick<Host, 'secrets' | 'log' | 'registry'>
/** Who changes settings. A module that changes its own has no request, so `client` is absent. */
interface Who { actor: Actor | AuditActor, client?: Client | null }

/** A valid change of one module's settings that is not yet written. */
export interface Prepared {
  declared: Declared
  clinic_id: string
  stored: Stored
  after: Values
  /** As `namesOfChanges` has them; empty if nothing differs. */
  names: string[]
}

/** Needs the lock on the clinic. Throws `validation_failed`. */
export async function prepareChange(
  parts: Parts,
  tx: Tx,
  { declared, clinic_id, change }: { declared: Declared, clinic_id: string, change: Values }
): Promise<Prepared> {
  const stored = await readStored(tx, { clinic_id, module: declared.module })
  const before = openValues(parts, declared, clinic_id, stored)
  const after = withoutSentSecrets(declared, { before, after: changed(declared, before, change), change })
  return { declared, clinic_id, stored, after, names: namesOfChanges(before, after) }
}

/** A secret is never sent to another origin than the one that it was entered for. */
function withoutSentSecrets(
  { sent_to }: Declared,
  { before, after, change }: { before: Values, after: Values, change: Values }
): Values {
  const moved = Object.keys(sent_to).filter(field => originOf(before[field]) !== originOf(after[field]))
  const emptied = moved.flatMap(field => sent_to[field]!).filter(name => !Object.hasOwn(change, name))
  return { ...after, ...Object.fromEntries(emptied.map(name => [name, null])) }
}

const originOf = (address: unknown) => URL.canParse(String(address)) ? new URL(String(address)).origin : address

/** What the hooks of modules see: values of fields that differ; of a secret only whether it is set. */
export function seenByModules({ declared, after, names }: Prepared): Values {
  const differing = pick(after, new Set(names.map(fieldOf)))
  return { [declared.module]: shown(declared, differing, name => after[name] !== null) }
}

export async function writeChange({ secrets }: Parts, tx: Tx, prepared: Prepared): Promise<void> {
  const { declared, clinic_id, stored, after, names } = prepared
  if (names.length === 0) return
  const at = { clinic_id, module: declared.module }
  const fields = [...new Set(names.map(fieldOf))]
  const now = (await clock.now(tx)).toISOString()
  const changedSecrets = fields.filter(name => declared.secrets.has(name))
  const kept = Object.entries(stored.secrets).filter(([name]) => !changedSecrets.includes(name))
  const sealed = changedSecrets.filter(name => after[name] !== null)
    .map(name => [name, secrets.seal(purposeOf(at, name), String(after[name]))])
  await writeStored(tx, at, {
    values: { ...stored.values, ...pick(after, fields.filter(name => !declared.secrets.has(name))) },
    secrets: Object.fromEntries([...kept, ...sealed]) as Stored['secrets'],
    changed_at: { ...stored.changed_at, ...Object.fromEntries(names.map(name => [name, now])) }
  })
}

/** A row of the audit log: the module and names, never values. */
export async function recordSettings(
  parts: Parts,
  tx: Tx,
  { declared, clinic_id, names }: Prepared,
  who: Who
): Promise<void> {
  if (names.length === 0) return
  await recordAudit(parts, tx, {
    clinic_id,
    ...who,
    action: 'settings_changed',
    target: { kind: 'clinic', id: clinic_id },
    detail: { module: declared.module, fields: names.toSorted() }
  })
}

interface SettingsUpdate {
  declared: Declared
  clinic_id: string
  change: Values
  if_match?: string | undefined
  who: Who
}

/**
 * Changes one module's settings. Throws `not_found`, `precondition_failed`, `validation_failed`, `currency_locked` or
 * `setting_vetoed`.
 */
export async function changeSettings(
  parts: Parts,
  tx: Tx,
  { if_match, who, ...wanted }: SettingsUpdate
): Promise<void> {
  const { declared, clinic_id } = wanted
  if (!await lockClinicRow(tx, clinic_id)) throw problem('not_found')
  const prepared = await prepareChange(parts, tx, wanted)
  if (!matchesEtag(prepared.stored.version, if_match)) throw problem('precondition_failed')
  if (prepared.names.length === 0) return
  const asked = { id: clinic_id, change: seenByModules(prepared), tx }
  await askModules(parts, asked)
  await writeChange(parts, tx, prepared)
  const fields = new Set(prepared.names.map(fieldOf))
  if (declared.in_clinic.some(({ field }) => fields.has(field))) await renewClinicVersion(tx, clinic_id)
  await applyToModules(parts, asked)
  await recordSettings(parts, tx, prepared, who)
}
