import type { AnyTx, Tx } from '@svc/kit'
import * as z from 'zod'
import type { Host, Registry } from '../host.ts'
import { declaredIn, type Declared } from './declaration.ts'
import { openValues } from './open-values.ts'
import { readAllStored } from './stored-settings.ts'
import { pick, type Values } from './values.ts'

// Settings of modules that `/api/v1/clinic` has among its own members, as it had them before they were a module's.

/** The schema of the clinic's answer with these members, each in its place. */
export const withMembers = (base: z.ZodObject, registry: Registry): z.ZodObject =>
  z.object(placed(base.shape, registry, schema => schema))

/** The schema of a change with these members. Of an object, a change may leave out parts. */
export const withChangedMembers = (base: z.ZodObject, registry: Registry): z.ZodObject =>
  z.strictObject(placed(base.shape, registry, schema =>
    z.optional(schema instanceof z.ZodObject ? schema.partial() : schema)))

function placed(
  shape: z.ZodObject['shape'],
  registry: Registry,
  form: (schema: z.ZodType) => z.ZodType
): z.ZodObject['shape'] {
  let members = Object.entries(shape)
  for (const { field, after, schema } of membersIn(registry)) {
    const at = members.findIndex(([name]) => name === after)
    members = members.toSpliced(at === -1 ? members.length : at + 1, 0, [field, form(schema)])
  }
  return Object.fromEntries(members)
}

const membersIn = (registry: Registry) => declaredIn(registry).flatMap(({ schema, in_clinic }) =>
  in_clinic.map(place => ({ ...place, schema: (schema as unknown as z.ZodObject).shape[place.field] as z.ZodType })))

/** A change of the clinic, apart from the members that are settings of modules. */
export function splitChange<Own extends object>(
  registry: Registry,
  change: Own
): { own: Own, ofModules: [Declared, Values][] } {
  const ofModules = declaredIn(registry).map((declared): [Declared, Values] =>
    [declared, pick(change as Values, declared.in_clinic.map(({ field }) => field))])
  const taken = new Set(ofModules.flatMap(([, values]) => Object.keys(values)))
  return {
    own: Object.fromEntries(Object.entries(change).filter(([name]) => !taken.has(name))) as Own,
    ofModules: ofModules.filter(([, values]) => Object.keys(values).length > 0)
  }
}

type Parts = Pick<Host, 'registry' | 'secrets' | 'log'>

export async function clinicMembers(parts: Parts, tx: Tx, clinic_id: string): Promise<Values> {
  const declared = declaredIn(parts.registry).filter(({ in_clinic }) => in_clinic.length > 0)
  const stored = await readAllStored(tx, clinic_id)
  return Object.assign({}, ...declared.map(one =>
    pick(openValues(parts, one, clinic_id, stored(one.module)), one.in_clinic.map(({ field }) => field)))) as Values
}

/** By module, what the screens of all members need, whatever their permissions. Without a clinic, the defaults. */
export async function screenSettings(
  parts: Parts,
  tx: AnyTx,
  clinic_id: string | null
): Promise<Record<string, Values>> {
  const declared = declaredIn(parts.registry).filter(({ on_screens }) => on_screens.length > 0)
  if (declared.length === 0) return {}
  const stored = clinic_id === null ? null : await readAllStored(tx, clinic_id)
  return Object.fromEntries(declared.map((one) => {
    const values = stored ? openValues(parts, one, clinic_id!, stored(one.module)) : one.defaults
    return [one.module, pick(values, one.on_screens)]
  }))
}
