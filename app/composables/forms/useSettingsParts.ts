import type { InjectionKey } from 'vue'
import type { SettingValues } from '../../../shared/settings.ts'

/** The settings of one module, as a part of the clinic's form. */
export interface SettingsPart {
  /** How many fields were changed. */
  touched: Readonly<Ref<number>>
  /** False if they were not saved: the part shows why. */
  save: () => Promise<boolean>
  discard: () => void
}

interface SettingsParts {
  /** By module: the values of its fields. */
  values: Record<string, SettingValues>
  parts: Map<string, SettingsPart>
}
const KEY: InjectionKey<SettingsParts> = Symbol('settings of modules')

/** For the form. Its parts are saved one after the other; the first that fails ends it. */
export function provideSettingsParts() {
  const shared: SettingsParts = { values: reactive({}), parts: shallowReactive(new Map()) }
  provide(KEY, shared)
  const all = () => [...shared.parts.values()]
  return {
    state: { modules: shared.values },
    touched: computed(() => all().reduce((sum, { touched }) => sum + touched.value, 0)),
    async save(): Promise<boolean> {
      for (const part of all().filter(({ touched }) => touched.value > 0)) {
        if (!await part.save()) return false
      }
      return true
    },
    discard: () => all().forEach(part => part.discard())
  }
}

/** For a part: registers it until it is unmounted. */
export function useSettingsPart(module: string, part: SettingsPart): Record<string, SettingValues> {
  const { values, parts } = inject(KEY)!
  parts.set(module, part)
  onUnmounted(() => parts.delete(module))
  return values
}
