import { problem, type ClinicEffect, type ClinicSettings, type ClinicVeto, type Tx } from '@svc/kit'
import type { Host } from '../host.ts'

/** A change of a clinic, with the settings of modules below their names. Only what differs. */
export interface ClinicHookInput { id: string, change: ClinicSettings, tx: Tx }
type Modules = Pick<Host, 'registry'>

/** One after the other: once a module throws, the transaction ends, and no other module may still be using it. */
export async function vetoesOf({ registry }: Modules, { id, change, tx }: ClinicHookInput): Promise<ClinicVeto[]> {
  const vetoes: ClinicVeto[] = []
  for (const { definition: { hooks }, ctx } of registry.modules)
    vetoes.push(...await hooks?.before_clinic_change?.(ctx, { clinic_id: id, change, tx }) ?? [])
  return vetoes
}

/** Throws `currency_locked` or `setting_vetoed`. */
export async function askModules(host: Modules, asked: ClinicHookInput): Promise<void> {
  if (Object.keys(asked.change).length === 0) return
  const vetoes = (await vetoesOf(host, asked)).map(({ field, reason }) => ({ field: asSent(host, field), reason }))
  if (vetoes.length === 0) return
  const fields = [...new Set(vetoes.map(veto => veto.field))]
  const detail = vetoes.map(veto => veto.reason).join(' ')
  if (fields.every(field => field === 'currency')) throw problem('currency_locked', { detail, fields })
  const errors = vetoes.map(({ field, reason }) => ({ pointer: `/${field.replaceAll('.', '/')}`, message: reason }))
  throw problem('setting_vetoed', { detail, fields, errors })
}

/** A body never has a module's name: a request changes either one module's settings or members of the clinic. */
function asSent({ registry }: Modules, field: string): string {
  const [first, ...rest] = field.split('.')
  return rest.length > 0 && registry.get(first!) ? rest.join('.') : field
}

export async function applyToModules(
  { registry }: Modules,
  { id, change, tx }: ClinicHookInput
): Promise<ClinicEffect[]> {
  if (Object.keys(change).length === 0) return []
  const effects: ClinicEffect[] = []
  for (const { definition: { hooks }, ctx } of registry.modules)
    effects.push(...await hooks?.after_clinic_change?.(ctx, { clinic_id: id, change, tx }) ?? [])
  return effects
}
