import type { Component } from 'vue'
import type { SettingValues } from '../../shared/settings.ts'

/** A module's own section on the clinic's page, instead of the one that is drawn from its schema. */
export interface SettingsSection {
  module: string
  /** Gets the values as its model, and changes them in place. */
  component: Component
  /** The module's settings as a zod schema, to check them while the person types. */
  schema: Parameters<typeof useFormSchema>[0]
  /** The settings from the form's values, which may be incomplete. An emptied number becomes an empty text. */
  toRequest?: (form: SettingValues) => SettingValues
  /** Called by the section. Returns a value in words, for when another person has changed it meanwhile. */
  useShow?: () => (field: string, value: unknown) => string
  /** Called by the section. Returns, by the field's name, what is wrong with a value that has a format of its own. */
  useMessages?: () => () => Record<string, string>
}

const sections = shallowReactive(new Map<string, SettingsSection>())

/** A module adds its own in its layer's `app/staff.ts`. */
export function useSettingsSections() {
  return {
    add: (section: SettingsSection) => void sections.set(section.module, section),
    find: (module: string): SettingsSection | null => sections.get(module) ?? null
  }
}
