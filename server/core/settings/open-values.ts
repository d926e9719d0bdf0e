import type { Host } from '../host.ts'
import type { Declared } from './declaration.ts'
import type { Stored } from './stored-settings.ts'
import { fitted, type Values } from './values.ts'

interface Place { clinic_id: string, module: string }

/** The same text sealed for another clinic or field can't be opened here. */
export const purposeOf = ({ clinic_id, module }: Place, field: string) => `core.setting.${clinic_id}.${module}.${field}`

type Parts = Pick<Host, 'secrets' | 'log'>

/** All values as the module sees them, with its secrets in plain text. */
export function openValues({ secrets, log }: Parts, declared: Declared, clinic_id: string, stored: Stored): Values {
  const { module } = declared
  const at = { clinic_id, module }
  const sealed = Object.entries(stored.secrets).filter(([field]) => declared.secrets.has(field))
  const opened = sealed.filter(([field, text]) => secrets.canOpen(purposeOf(at, field), text))
    .map(([field, text]) => [field, Buffer.from(secrets.open(purposeOf(at, field), text)).toString()])
  // Without the former secret of the instance, the clinic has to enter it again. The doctor names that secret.
  const lost = sealed.map(([field]) => field).filter(field => !opened.some(([name]) => name === field))
  const { values, misfits } = fitted(declared, { ...stored.values, ...Object.fromEntries(opened) as Values })
  if (misfits.length + lost.length > 0) log.warn('settings.unusable', { ...at, misfits, lost })
  return values
}
