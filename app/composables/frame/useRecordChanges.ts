import type { InjectionKey, Ref } from 'vue'

const RECORD: InjectionKey<Ref<unknown>> = Symbol('record')

/** Call it in a page with sections of modules, so that they learn when its record changes. */
export const provideRecord = (record: () => unknown) => provide(RECORD, computed(record))

/** Calls `look` whenever the record of the page has changed. For a section on another module's page. */
export function onRecordChange(look: () => Promise<unknown>) {
  const record = inject(RECORD, null)
  if (record) watch(record, () => void look().catch(() => {}))
}
