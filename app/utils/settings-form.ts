import type { SettingField, SettingValues } from '../../shared/settings.ts'
import { readAmount, typedAmount } from './amount.ts'

interface Amounts { currency: string, language: string }

/** The values of a drawn form. Texts are never null; a secret is the text that replaces it, or null to remove it. */
export function toSettingsForm(fields: SettingField[], values: SettingValues, { language }: Amounts): SettingValues {
  return Object.fromEntries(fields.map(({ name, kind }) => {
    const value = values[name]
    if (kind === 'secret') return [name, '']
    if (kind === 'money') return [name, typeof value === 'string' ? typedAmount(value, language) : '']
    return [name, kind === 'text' ? value ?? '' : structuredClone(value)]
  }))
}

/**
 * The settings of a drawn form. An untouched secret is left out. An emptied required field becomes an empty text,
 * because a missing one would mean "unchanged".
 */
export function toSettingsRequest(fields: SettingField[], form: SettingValues, { currency }: Amounts): SettingValues {
  return Object.fromEntries(fields.flatMap(({ name, kind, required }) => {
    const value = form[name]
    const empty = required ? '' : null
    if (kind === 'secret') return value === '' ? [] : [[name, value]]
    if (kind === 'money') return [[name, value === '' ? empty : readAmount(String(value), currency) ?? value]]
    return [[name, value === '' || value === undefined || value === null ? empty : value]]
  }))
}
